import fileType = require('file-type');

export function extension(buffer: Buffer): fileType.FileType | undefined {
  const found: fileType.FileTypeResult | undefined = fileType(buffer);
  return found?.ext;
}
