import JSZip from 'jszip';

/// All files of a parcel in one.
export async function pack(files) {
  const zip = new JSZip();
  for (const [path, text] of Object.entries(files)) zip.file(path, text);
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}
