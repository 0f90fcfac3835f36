import tar from 'tar';

/// Keeps files of a folder in an archive.
export async function save(folder, files, archive) {
  await tar.create({ gzip: true, cwd: folder, file: archive }, files);
  return archive;
}
