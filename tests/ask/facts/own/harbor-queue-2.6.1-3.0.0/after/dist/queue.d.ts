import { HarborQueueOptions, PushOptions, Settled } from './types';

export declare class HarborQueue<T, R> {
  #private;
  constructor(worker: (job: T, signal: AbortSignal) => Promise<R>, options?: HarborQueueOptions);
  get size(): number;
  push(job: T, options?: PushOptions): Promise<Settled<R>>;
  /** Settles once nothing waits and nothing runs. */
  whenIdle(): Promise<void>;
  /** Takes no more jobs; those that wait are rejected. */
  shutdown(): Promise<void>;
}
