/** A table with one row for each step of a job, as an application beside a queue keeps it. */
export class History {
  constructor(pool) {
    this.pool = pool;
  }

  async prepare() {
    await this.pool.query(
      `CREATE TABLE IF NOT EXISTS history (
         id bigserial PRIMARY KEY, job uuid NOT NULL, step text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
         actor jsonb NOT NULL)`,
    );
    await this.pool.query('CREATE INDEX IF NOT EXISTS history_of_job ON history (job, id)');
  }

  async add(job, ...steps) {
    const actor = { kind: 'device', id: '01a208dc-c239-741b-82c3-7173ef558875', correlation: job };
    const rows = steps.map((_, n) => `($1, $${n + 3}, $2)`).join(', ');
    await this.pool.query(`INSERT INTO history (job, step, actor) VALUES ${rows}`, [job, actor, ...steps]);
  }
}
