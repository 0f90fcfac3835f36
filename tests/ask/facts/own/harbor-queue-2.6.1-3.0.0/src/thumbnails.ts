import { HarborQueue, QueueOptions, JobResult } from 'harbor-queue';

interface Picture {
  id: string;
  bytes: Buffer;
}

const options: QueueOptions = {
  concurrency: 4,
  timeout: 30000,
  retryDelay: 500,
};

const queue = new HarborQueue<Picture, string>(shrink, options);

async function shrink(picture: Picture): Promise<string> {
  return `${picture.id}-${picture.bytes.length >> 2}`;
}

export function thumbnail(picture: Picture, done: (error: Error | null, name?: string) => void): void {
  queue.push(picture, { priority: 1 }, (error: Error | null, result?: JobResult<string>) => {
    if (error) {
      done(error);
      return;
    }
    done(null, result!.value);
  });
}

export function close(done: () => void): void {
  queue.drain(() => {
    queue.stop();
    done();
  });
}
