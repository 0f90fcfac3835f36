import WebSocket from 'ws';

export interface Quote {
  symbol: string;
  price: number;
}

export class QuoteFeed {
  private socket: WebSocket;

  constructor(url: string, private onQuote: (quote: Quote) => void) {
    this.socket = new WebSocket(url, 'quotes.v1');
    this.socket.on('message', (data: WebSocket.Data) => this.handle(data));
    this.socket.on('close', (code: number, reason: string) => {
      if (reason.startsWith('maintenance')) {
        setTimeout(() => this.socket.removeAllListeners(), 1000);
      } else {
        console.warn(`feed closed with ${code}: ${reason || 'no reason'}`);
      }
    });
  }

  private handle(data: WebSocket.Data): void {
    if (typeof data === 'string') {
      const [symbol, price] = data.split('|');
      this.onQuote({ symbol, price: Number(price) });
    } else {
      // binary frames carry heartbeats
      this.socket.pong();
    }
  }
}
