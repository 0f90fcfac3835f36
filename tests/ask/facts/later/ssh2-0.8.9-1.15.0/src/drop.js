'use strict';

const fs = require('fs');
const ssh2 = require('ssh2');

const { SFTP_OPEN_MODE, SFTP_STATUS_CODE } = ssh2;
const allowed = ssh2.utils.parseKey(fs.readFileSync('allowed.pub'));

exports.server = (hostKey) => new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
  client.on('authentication', (context) => {
    const same = context.method === 'publickey' && allowed.getPublicSSH().equals(context.key.data);
    if (same && allowed.verify(context.blob, context.signature)) context.accept();
    else context.reject();
  });
  client.on('ready', () => client.on('session', (accept) => {
    accept().on('sftp', (acceptSftp) => {
      const sftp = acceptSftp();
      sftp.on('OPEN', (id, name, flags) => {
        if (!(flags & SFTP_OPEN_MODE.WRITE)) return sftp.status(id, SFTP_STATUS_CODE.FAILURE);
        return sftp.handle(id, Buffer.alloc(4));
      });
    });
  }));
});
