const path = require('path');
const express = require('express');
const store = require('./store');

const app = express();
app.use(express.urlencoded());
app.use(express.static(path.join(__dirname, 'public')));

app.get('/files/:name.:ext?', (req, res) => {
  const type = express.static.mime.lookup(req.params.ext || 'txt');
  res.type(type).sendfile(path.join(__dirname, 'files', req.params.name));
});

app.get('/search', (req, res) => {
  // /search?filter[color]=red&filter[size]=m
  const filter = req.query.filter || {};
  store.search(filter.color, filter.size, (err, hits) => {
    if (err) return res.send(500, 'search is down');
    res.json(hits);
  });
});

app.post('/notes', (req, res) => {
  const text = req.param('text');
  if (!text) return res.json(422, { error: 'text is missing' });
  store.add(text, req.body.tags || []);
  res.redirect('back');
});

app.del('/notes/:id', (req, res) => {
  store.remove(req.params.id, (found) => res.sendStatus(found ? 204 : 404));
});

app.get('/docs/*', (req, res) => {
  const page = store.page(req.params[0].replace(/\/$/, ''));
  return page ? res.json(page) : res.sendStatus(404);
});

app.get('*', (req, res) => res.sendStatus(404));

module.exports = app;
