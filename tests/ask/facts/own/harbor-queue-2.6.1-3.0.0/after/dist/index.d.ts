export { HarborQueue } from './queue';
export { HarborQueueOptions, PushOptions, Settled } from './types';
