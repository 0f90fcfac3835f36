const http = require('http');
const server = http.createServer();
const io = require('socket.io')(server, {
  origins: ['https://play.example.com:443'],
  cookie: 'node',
  handlePreflightRequest(req, res) {
    res.writeHead(200, {
      'Access-Control-Allow-Origin': req.headers.origin,
      'Access-Control-Allow-Headers': 'x-table',
      'Access-Control-Allow-Credentials': true
    });
    res.end();
  }
});

const tables = io.of('/tables');

tables.use((socket, next) => {
  if (socket.handshake.query.ticket) return next();
  next(new Error('no ticket'));
});

tables.on('connection', (socket) => {
  socket.on('sit', (table) => {
    socket.join(table, (err) => {
      if (err) return socket.emit('refused', table);
      tables.to(table).emit('seated', socket.id);
    });
  });

  socket.on('say', (text) => {
    Object.keys(socket.rooms)
      .filter((room) => room !== socket.id)
      .forEach((room) => socket.to(room).emit('said', text));
  });
});

function kick(id) {
  const socket = tables.connected[id];
  if (socket) socket.disconnect(true);
}

function players(table, done) {
  tables.in(table).clients((err, ids) => done(err, ids));
}

function online() {
  return Object.keys(tables.connected).length;
}

module.exports = { server, kick, players, online };
