import socketio from 'socket.io';
import { authorize } from './auth.mjs';

export function attach(server) {
  const io = socketio.listen(server, { path: '/notify', pingTimeout: 30000 });

  io.set('authorization', (handshake, accept) => {
    authorize(handshake._query.token).then(
      () => accept(null, true),
      (err) => accept(err.message, false)
    );
  });

  return {
    // Offices first, then everybody who asked for the topic.
    publish(topic, offices, note) {
      offices.forEach((office) => io.to(`office:${office}`));
      io.to(`topic:${topic}`).emit('note', note);
    }
  };
}
