import PQueue, { DefaultAddOptions } from 'p-queue';

const options: DefaultAddOptions = { priority: 1 };
const queue = new PQueue({ concurrency: 4, timeout: 5000, throwOnTimeout: true });

queue.on('idle', () => console.log('done'));

export async function load(urls: string[], get: (url: string) => Promise<string>): Promise<string[]> {
  const texts = await queue.addAll(urls.map((url) => () => get(url)), options);
  return texts.map((text) => text.trim());
}

export async function first(task: () => Promise<number>): Promise<number> {
  const value: number = await queue.add(task, { priority: 10 });
  await queue.onEmpty();
  return value + queue.size;
}
