const { MongoClient, ObjectID } = require('mongodb');

let client = null;

function connect(url, done) {
  if (client && client.isConnected()) {
    done(null, client.db('shop'));
    return;
  }
  const options = { useNewUrlParser: true, useUnifiedTopology: true, poolSize: 20 };
  MongoClient.connect(url, options, (err, connected) => {
    if (err) return done(err);
    client = connected;
    done(null, client.db('shop'));
  });
}

function add(db, order, done) {
  db.collection('orders').insertOne(order, (err, result) => {
    if (err) return done(err);
    done(null, result.ops[0]);
  });
}

function pay(db, id, done) {
  db.collection('orders').findOneAndUpdate(
    { _id: new ObjectID(id) },
    { $set: { paid: true } },
    { returnOriginal: false },
    (err, result) => {
      if (err) return done(err);
      if (!result.value) return done(new Error('no such order'));
      done(null, result.value);
    }
  );
}

function open(db, customer, done) {
  db.collection('orders').find({ customer, paid: false }).sort({ createdAt: -1 }).toArray(done);
}

function purge(db, before, done) {
  db.collection('orders').remove({ createdAt: { $lt: before } }, (err, outcome) => {
    done(err, outcome && outcome.result.n);
  });
}

module.exports = { connect, add, pay, open, purge };
