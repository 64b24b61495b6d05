import { writeSync } from 'node:fs'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { bells, RINGS_TABLE } from '../support/bells.ts'
import { openSmallShop } from '../support/small-shop.ts'

/** Moves the clock of an account, and prints a line for each bell that people outside hear, until it is killed. */
const [name, place = '', accountId = '', to = ''] = process.argv.slice(2)

const shop = await openSmallShop(
  {
    name: name === 'postgres' ? 'postgres' : 'sqlite',
    available: true,
    open: (migrations) =>
      name === 'postgres' ? openPostgres({ url: place, migrations }) : openSqlite({ directory: place, migrations }),
  },
  [bells(({ at }) => void writeSync(1, `${at}\n`))],
  RINGS_TABLE,
)
await shop.worker.advanceClock(accountId, to)
