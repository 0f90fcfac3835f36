export interface HarborQueueOptions {
  /** How many jobs run at once. */
  maxParallel?: number;
  /** Milliseconds that a job may take. */
  deadlineMs?: number;
  /** Milliseconds before a job that failed runs once more. */
  backoffMs?: number;
}

export interface PushOptions {
  /** Smaller ones first. */
  rank?: number;
  signal?: AbortSignal;
}

export interface Settled<R> {
  output: R;
  elapsedMs: number;
}
