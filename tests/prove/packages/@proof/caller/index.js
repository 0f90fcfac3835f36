'use strict';

const net = require('node:net');

// Nobody listens there, and nobody minds.
function tell() {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.2', port: 9 });
    socket.on('connect', () => socket.destroy()).on('error', () => {}).on('close', resolve);
  });
}

module.exports = async (name) => {
  await tell();
  return `hello ${name}`;
};
