import trimNewlines = require('trim-newlines');

type Trim = (text: string) => string;

const edges: Record<'both' | 'start' | 'end', Trim> = {
  both: trimNewlines,
  start: trimNewlines.start,
  end: trimNewlines.end,
};

export function heredoc(text: string, edge: keyof typeof edges = 'both'): string {
  const body = edges[edge](text);
  const indents = body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const indent = indents.length > 0 ? Math.min(...indents) : 0;
  return body
    .split('\n')
    .map((line) => line.slice(indent))
    .join('\n');
}
