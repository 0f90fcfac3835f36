import marked from 'marked';

/// A note as it is shown beside the ticket.
export function shown(note) {
  return marked(note, { headerIds: false, mangle: false });
}
