import { accountsOf } from '../access/people/accounts-of.ts'
import { giveAddress, unlessTaken } from '../access/people/addresses.ts'
import { SettingError, type Settings } from '../config.ts'
import { emailAddress } from './account-values.ts'
import { UsageError } from './exit-codes.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

const USAGE = `npm run account -- address EMAIL [NEW]

Confirms that EMAIL belongs to the person who signs in with it, or changes that person's address to NEW.`

/** `account address`: the operator says whose an address is, where no letter can. */
export async function address(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  const [given, wanted, ...more] = readOptions(args, {}, USAGE).words
  if (given === undefined) throw new UsageError('Name the address to confirm.', USAGE)
  refuseWords(more, USAGE)
  const [present, email] = [emailAddress(given, 'EMAIL'), emailAddress(wanted ?? given, 'NEW')]
  return withDatabase(settings, async (database) => {
    const people = database.read.selectFrom('users').select(['id', 'name'])
    const person = await people.where('email', '=', present).executeTakeFirst()
    if (!person) throw new SettingError(`No user signs in with ${present}.`)
    const given = await unlessTaken(() => database.transaction(({ db }) => giveAddress(db, person.id, email)))
    if (given === 'taken') throw new SettingError(`Another user already signs in with ${email}.`)
    const accounts = (await accountsOf(database, person.id)).map(({ role, subdomain }) => `${role} of ${subdomain}`)
    terminal.print(`${person.name} (${accounts.join(', ')}) signs in with ${email}, which is confirmed.`)
    return 0
  })
}
