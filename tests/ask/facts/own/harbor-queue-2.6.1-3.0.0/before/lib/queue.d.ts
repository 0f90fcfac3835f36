export interface QueueOptions {
  /** How many jobs run at once. */
  concurrency?: number;
  /** Milliseconds that a job may take. */
  timeout?: number;
  /** Milliseconds before a job that failed runs once more. */
  retryDelay?: number;
}

export interface PushOptions {
  /** Greater ones first. */
  priority?: number;
}

export interface JobResult<R> {
  value: R;
  took: number;
}

export type JobCallback<R> = (error: Error | null, result?: JobResult<R>) => void;

export class HarborQueue<T, R> {
  constructor(worker: (job: T) => Promise<R>, options?: QueueOptions);
  readonly length: number;
  push(job: T, options: PushOptions, callback: JobCallback<R>): void;
  drain(callback: () => void): void;
  stop(): void;
}
