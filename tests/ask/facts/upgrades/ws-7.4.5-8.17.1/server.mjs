import { createServer } from 'http';
import WebSocket from 'ws';

const rooms = new Map();

function roomOf(url) {
  return new URL(url, 'http://localhost').searchParams.get('room') || 'lobby';
}

export function startChat(port) {
  const http = createServer((req, res) => res.end('chat'));
  const wss = new WebSocket.Server({ server: http, path: '/chat' });

  wss.on('connection', (socket, req) => {
    const room = roomOf(req.url);
    if (!rooms.has(room)) rooms.set(room, new Set());
    rooms.get(room).add(socket);

    socket.on('message', (message) => {
      if (typeof message !== 'string') {
        socket.close(1003, 'text only');
        return;
      }
      for (const peer of rooms.get(room)) {
        if (peer !== socket && peer.readyState === WebSocket.OPEN) {
          peer.send(message);
        }
      }
    });

    socket.on('close', (code, reason) => {
      rooms.get(room).delete(socket);
      if (reason === 'moved') console.log('client moved to another node', code);
    });
  });

  http.listen(port);

  // Kicks everybody out and resolves once the port is free again.
  return function stop() {
    return new Promise((resolve) => wss.close(() => http.close(resolve)));
  };
}
