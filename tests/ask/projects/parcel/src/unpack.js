import JSZip from 'jszip';

/// What pack() packed.
export async function unpack(bytes) {
  const zip = new JSZip(bytes);
  const files = {};
  for (const path of Object.keys(zip.files)) {
    files[path] = zip.file(path).asText();
  }
  return files;
}
