import { sql } from 'kysely'
import { isQuietCopy, QUIET_SINCE } from '../database/quiet-copy.ts'
import { counted } from '../format/counts.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { readSettings } from '../settings/config.ts'
import { exitCode } from './exit-codes.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

export const USAGE = `Lets a restored copy send e-mails, webhooks, posts and charges again, from its next start on.

  npm run go-live           shows what waits to be sent or done
  npm run go-live -- --yes  makes this copy the service; stop the service that it was copied from before

What has become due since the backup is done and sent then, also where the other service has done it meanwhile.`

const NOTHING_TO_DO = `Nothing has to be done here. go-live is for a copy that was restored from a backup, which sends nothing until then; this
service was not restored, or is live already, and sends everything unless the setting OUTBOUND_DISABLED is true.

To sell for real money, make a live account: npm run account -- create "My Shop" --owner you@example.com
A test account, such as the demo shop, always stays a test account. npm run account -- list shows which ones are.`

export async function run(terminal: Terminal): Promise<number> {
  const { words, flags } = readOptions(terminal.args, {}, USAGE, ['yes'])
  refuseWords(words, USAGE)
  return withDatabase(readSettings(terminal.environment), async (database) => {
    if (!(await isQuietCopy(database.read))) {
      terminal.print(NOTHING_TO_DO)
      return exitCode('done')
    }
    for (const line of await waiting(database)) terminal.print(line)
    if (!flags.has('yes')) {
      terminal.print('Nothing was changed. To make this copy the service: npm run go-live -- --yes')
      return exitCode('done')
    }
    await database.transaction(({ db }) => db.deleteFrom('settings').where('name', '=', QUIET_SINCE).execute())
    terminal.print('From its next start on, this copy is the service. Start it with npm start.')
    return exitCode('done')
  })
}

async function waiting({ read }: ShopDatabase): Promise<string[]> {
  const now = new Date().toISOString()
  const { rows } = await sql<{ jobs: number; deliveries: number }>`
    select (select count(*) from jobs where state in ('due', 'working') or (state = 'waiting' and run_at <= ${now})) as jobs,
      (select count(*) from webhook_events where finished_at is null) as deliveries`.execute(read)
  return rows.flatMap(({ jobs, deliveries }) => [
    `${counted(jobs, 'job')} of scheduled work would begin at once: renewals, posts, e-mails, tasks.`,
    `${counted(deliveries, 'delivery')} to webhook endpoints would be sent at once.`,
  ])
}
