import Knex from 'knex';

const config: Knex.Config = {
  client: 'sqlite3',
  connection: { filename: './data.sqlite' },
  pool: { min: 0, max: 4 },
};

export const db: Knex = Knex(config);

export async function add(name: string): Promise<number> {
  const [id] = await db('users').insert({ name }).returning('id');
  return id;
}

export function move(from: number, to: number): Promise<void> {
  return db.transaction(async (trx: Knex.Transaction) => {
    await trx('accounts').where({ id: from }).decrement('amount', 1);
    await trx('accounts').where({ id: to }).increment('amount', 1);
  });
}
