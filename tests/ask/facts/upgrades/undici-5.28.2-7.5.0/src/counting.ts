import { Client, Dispatcher } from 'undici';

export interface Traffic {
  requests: number;
  bytes: number;
}

export class CountingClient extends Client {
  readonly traffic: Traffic = { requests: 0, bytes: 0 };

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandlers): boolean {
    this.traffic.requests += 1;
    const onData = handler.onData;
    if (onData) {
      handler.onData = (chunk: Buffer): boolean => {
        this.traffic.bytes += chunk.length;
        return onData.call(handler, chunk);
      };
    }
    return super.dispatch(options, handler);
  }
}

export function inventory(url: string): CountingClient {
  return new CountingClient(url, { maxRedirections: 2, keepAliveTimeout: 10_000 });
}
