import simpleGit, { ListLogSummary, SimpleGit, SimpleGitOptions } from 'simple-git';

const options: Partial<SimpleGitOptions> = { binary: '/opt/git/bin/git', config: ['core.fsmonitor=false'] };
const git: SimpleGit = simpleGit(options);

export async function mirror(url: string, folder: string): Promise<number> {
  await git.clone(url, folder, ['--upload-pack=/opt/git/bin/git-upload-pack']);
  const log: ListLogSummary = await git.cwd(folder).log({ maxCount: 10 });
  return log.all.length;
}
