// OSV records as the answer that `npm audit` asks for.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

function readRecords(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).sort();
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)));
}

/// One OSV range as node-semver writes it: ">=1.0.0 <1.2.4 || >=2.0.0 <2.0.3".
function rangeOf({ events }) {
  const parts = [];
  let from = null;
  for (const event of events) {
    if (event.introduced) from = event.introduced === '0' ? '>=0.0.0-0' : `>=${event.introduced}`;
    if (event.fixed) parts.push(`${from} <${event.fixed}`);
    if (event.last_affected) parts.push(`${from} <=${event.last_affected}`);
    if (event.fixed || event.last_affected) from = null;
  }
  if (from) parts.push(from);
  return parts.join(' || ');
}

function vulnerableVersions({ ranges = [], versions = [] }) {
  return [...ranges.filter((r) => r.type !== 'GIT').map(rangeOf), ...versions].join(' || ');
}

/// `asked` maps names to installed versions; npm picks those that match.
export function bulkAnswer(folder, asked) {
  const answer = {};
  for (const record of readRecords(folder)) {
    if (record.withdrawn) continue;
    for (const affected of record.affected ?? []) {
      const { name } = affected.package;
      if (!Object.hasOwn(asked, name)) continue;
      (answer[name] ??= []).push({
        id: record.id,
        url: `https://advisories.example/${record.id}`,
        title: record.summary,
        severity: (record.database_specific?.severity ?? 'critical').toLowerCase(),
        vulnerable_versions: vulnerableVersions(affected),
        cwe: [],
        cvss: { score: 0, vectorString: null },
      });
    }
  }
  return answer;
}
