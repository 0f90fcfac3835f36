import { createWriteStream } from 'fs';
import { pipeline } from 'stream';
import { promisify } from 'util';
import got, { NormalizedOptions, Options, TimeoutError } from 'got';

const run = promisify(pipeline);

const defaults: Options = {
  retry: 0,
  timeout: 30000,
  hooks: {
    beforeRequest: [
      (options: NormalizedOptions) => {
        options.headers['user-agent'] = 'mirror/1';
      },
    ],
  },
};

export async function mirror(url: string, file: string): Promise<boolean> {
  try {
    await run(got.stream(url, { ...defaults, isStream: true }), createWriteStream(file));
    return true;
  } catch (error) {
    if (error instanceof TimeoutError) {
      return false;
    }
    throw error;
  }
}
