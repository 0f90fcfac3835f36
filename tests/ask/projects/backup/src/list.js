import tar from 'tar';

/// The paths in an archive, sorted.
export async function list(archive) {
  const paths = [];
  await tar.list({ file: archive, onentry: (entry) => paths.push(entry.path) });
  return paths.sort();
}

export async function isEmpty(archive) {
  return (await list(archive)).length === 0;
}
