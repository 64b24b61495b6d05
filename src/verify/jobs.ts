import { sql } from 'kysely'
import { KEEP_FIRST, LAST_RESORT, type Rule } from './finding.ts'

const HOUR_MS = 60 * 60 * 1000

/** Work that is to be done. `names` are the kinds of jobs that this version knows. */
export function jobRules(names: readonly string[], now = Date.now()): Rule[] {
  const lost = new Date(now - HOUR_MS).toISOString()
  const waits = sql`select 1 from jobs where jobs.account_id = waiting.account_id`
  const open = sql`jobs.state not in ('done', 'failed')`
  return [
    {
      area: 'jobs',
      problem: 'Jobs are of a kind that this version does not know',
      advice: 'Start the version that made them: a newer one was used on this data.',
      query: sql`
        select account_id, id, name as detail from jobs
        where state not in ('done', 'failed') and name not in (${sql.join(names.map((name) => sql.lit(name)))})`,
    },
    {
      area: 'jobs',
      problem: 'Subscriptions have nothing planned, so they would never be renewed or end',
      advice: `${KEEP_FIRST} Then ask the makers of Shopwright with the lines above. ${LAST_RESORT}`,
      query: sql`
        select account_id, id, status as detail from subscriptions as waiting
        where status not in ('canceled', 'paused') and not exists (${waits} and jobs.id = waiting.due_job and ${open})`,
    },
    {
      area: 'jobs',
      problem: 'Uploads wait for bytes and would wait for ever',
      advice: 'Delete these files and create them again.',
      query: sql`
        select account_id, id from files as waiting
        where source = 'upload' and upload_status = 'pending' and expire_job is not null
          and not exists (${waits} and jobs.id = waiting.expire_job and ${open})`,
    },
    {
      area: 'jobs',
      severity: 'note',
      problem: 'Jobs failed for good in the last seven days',
      advice: 'Their messages say why; what they were for can be done again by hand.',
      query: sql`
        select account_id, id, name || ': ' || substr(coalesce(last_error, ''), 1, 100) as detail from jobs where state = 'failed'`,
    },
    {
      area: 'jobs',
      severity: 'note',
      problem: 'Jobs were begun more than an hour ago by a server that is gone',
      advice: 'A running server takes them up again by itself.',
      query: sql`select account_id, id, name as detail from jobs where state = 'working' and leased_until < ${lost}`,
    },
  ]
}
