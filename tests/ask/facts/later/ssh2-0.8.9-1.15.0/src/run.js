'use strict';

const Client = require('ssh2');

exports.run = (host, privateKey, command, done) => {
  const connection = new Client();
  connection.on('ready', () => {
    connection.exec(command, (error, stream) => {
      if (error) return done(error);
      let out = '';
      return stream.on('data', (data) => { out += data; }).on('close', () => {
        connection.end();
        done(null, out);
      });
    });
  });
  connection.connect({ host, username: 'deploy', privateKey, hostHash: 'sha1', hostVerifier: (hash) => hash === process.env.HOST_HASH });
};
