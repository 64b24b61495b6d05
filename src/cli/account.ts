import { createInterface } from 'node:readline'
import { accountsOf } from '../access/people/accounts-of.ts'
import { giveAddress, unlessTaken } from '../access/people/addresses.ts'
import { OPERATOR_LINK_MS } from '../access/people/limits.ts'
import { loadSecret } from '../access/secret.ts'
import { vaultOf } from '../access/vault.ts'
import type { Field } from '../contract/declarations/field.ts'
import { normalizeEmail } from '../contract/values/email.ts'
import { isReserved, RESERVED_PROBLEM } from '../contract/values/reserved-names.ts'
import { isUniqueViolation } from '../database/unique.ts'
import { counted } from '../format/counts.ts'
import { inWords } from '../format/names.ts'
import { Account } from '../resources/company/account/account.ts'
import { deleteAccount } from '../resources/company/account/life/delete.ts'
import { type AccountSummary, listAccounts } from '../resources/company/account/life/list.ts'
import { findOwner, UnprovenAddressError } from '../resources/company/account/life/members.ts'
import { openAccount } from '../resources/company/account/life/open.ts'
import { makePasswordLink } from '../resources/company/user/password-link.ts'
import { User } from '../resources/company/user/user.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { readSettings, SettingError, type Settings } from '../settings/config.ts'
import { publicUrlOf } from './address.ts'
import { CommandError, endOf, exitCode, UsageError } from './exit-codes.ts'
import { clientLines } from './greeting.ts'
import { requireAccount } from './only-account.ts'
import { actionOf, readOptions, refuseWords } from './options.ts'
import { inColumns, printRows, type Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

const ADDRESS_USAGE = `npm run account -- address EMAIL [NEW]

Confirms that EMAIL belongs to the person who signs in with it, or changes that person's address to NEW.`

export const USAGE = `Manages the accounts of this service, whether or not a server is running.

  npm run account -- create NAME --owner EMAIL [--owner-name NAME] [--subdomain SUBDOMAIN]
                          [--test] [--new-service]
                                                creates an account and shows its first API token once
  npm run account -- list                       lists accounts
  npm run account -- password-link [ACCOUNT]    creates a link for its owner to set a password; it works once, for 7 days;
                                                without ACCOUNT, for the only account
  npm run account -- address EMAIL [NEW]        confirms that EMAIL belongs to the person who signs in with it, or changes
                                                that person's address to NEW
  npm run account -- delete ACCOUNT [--yes]     deletes an account and everything in it

ACCOUNT is an id or a subdomain. Without --subdomain, the subdomain is made from the name. --test creates a test account: it has
its own clock, which npm run clock moves forward, and its payments are never real. Before the first start, create with
--new-service also creates the service's data, and the first start then adds no account of its own.`

const OPTIONS = {
  owner: "the owner's e-mail address",
  'owner-name': "the owner's name",
  subdomain: 'lower-case letters and digits, with single hyphens between them',
}

export async function run(terminal: Terminal): Promise<number> {
  const { run, args } = actionOf(
    terminal.args,
    { create, list, 'password-link': passwordLink, address, delete: remove },
    USAGE,
  )
  return run(terminal, readSettings(terminal.environment), args)
}

async function create(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  const { words, options, flags } = readOptions(args, OPTIONS, USAGE, ['test', 'new-service'])
  if (words.length === 0) throw new UsageError('The account needs a name: npm run account -- create "Ada’s Books" …')
  if (options.owner === undefined)
    throw new UsageError('The account needs an owner: add --owner and an e-mail address.')
  const email = emailAddress(options.owner)
  const request = {
    name: checked('The name', Account.fields.name, words.join(' ')),
    subdomain: options.subdomain === undefined ? undefined : subdomainText(options.subdomain),
    owner: { email, name: checked('--owner-name', User.fields.name, options['owner-name'] ?? email.split('@')[0]!) },
    test: flags.has('test'),
  }
  const made = await withDatabase(
    settings,
    async (database) =>
      openAccount(database, await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY), request),
    { make: flags.has('new-service') },
  ).catch((error: unknown) => {
    if (error instanceof UnprovenAddressError) throw unconfirmedError(error)
    if (isUniqueViolation(error))
      throw new SettingError('Another command created the same subdomain or user at the same time. Try again.')
    throw endOf(error) === 'noData' ? new CommandError('noData', `${(error as Error).message} ${NEW_SERVICE}`) : error
  })
  if (made === null) throw new SettingError(`The subdomain ${request.subdomain} is taken by another account.`)
  terminal.complain(`Made ${made.accountId} (${made.subdomain}). Its first token is shown only now:`)
  terminal.print(made.token)
  terminal.complain(['', ...clientLines(await publicUrlOf(settings))].join('\n'))
  return 0
}

function unconfirmedError({ email }: UnprovenAddressError): SettingError {
  return new SettingError(
    `A user signs in with ${email} but has not confirmed the address, so it may belong to someone else. They can confirm it on their profile page. If you know that it is theirs: npm run account -- address ${email}`,
  )
}

const NEW_SERVICE = 'To create a new service with this as its first account, add --new-service.'

async function list(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  refuseWords(readOptions(args, {}, USAGE).words, USAGE)
  const accounts = await withDatabase(settings, listAccounts)
  printRows(terminal, accounts.map(cells), 'There are no accounts.')
  return 0
}

function cells({ id, subdomain, name, owner, created_at, test, tokens, last_used_at }: AccountSummary): string[] {
  const used = last_used_at ? `used ${last_used_at}` : 'never used'
  return [
    id,
    subdomain,
    name,
    owner ?? 'being deleted',
    `made ${created_at}`,
    counted(tokens, 'token'),
    used,
    test ? 'test account' : '',
  ]
}

async function passwordLink(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  const [given, ...more] = readOptions(args, {}, USAGE).words
  refuseWords(more, USAGE)
  const url = await withDatabase(settings, async (database) => {
    const { subdomain } = await (given === undefined ? requireOnlyAccount(database) : requireAccount(database, given))
    const owner = await findOwner(database, subdomain)
    if (!owner) throw new SettingError(`The account ${subdomain} is being deleted.`)
    const vault = vaultOf(await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY))
    const publicUrl = await publicUrlOf(settings)
    return database.transaction(({ db }) =>
      makePasswordLink({ db, vault, publicUrl }, { userId: owner.userId, lifeMs: OPERATOR_LINK_MS, mailedTo: null }),
    )
  })
  terminal.complain('The owner can set a password with this link. It works once, for 7 days:')
  terminal.print(url)
  return 0
}

async function remove(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  const { words, flags } = readOptions(args, {}, USAGE, ['yes'])
  const [given, ...more] = words
  if (given === undefined) throw new UsageError('Name the account to delete, by its id or subdomain.', USAGE)
  refuseWords(more, USAGE)
  return withDatabase(settings, async (database) => {
    const found = await requireAccount(database, given)
    if (!flags.has('yes') && !(await confirm(terminal, found))) return exitCode('failed')
    const { deleted } = await deleteAccount(database, found.id)
    terminal.print(`Deleted ${found.id} (${found.subdomain}) with everything in it:`)
    const counts = [...deleted].filter(([, count]) => count > 0)
    for (const line of inColumns(counts.map(([table, count]) => [`  ${count}`, inWords(table)]))) terminal.print(line)
    return 0
  })
}

async function requireOnlyAccount(database: ShopDatabase): Promise<AccountSummary> {
  const accounts = await listAccounts(database)
  const [first, ...more] = accounts
  if (first === undefined) throw new SettingError('There are no accounts.')
  if (more.length === 0) return first
  const example = `npm run account -- password-link ${first.subdomain}`
  throw new SettingError(`There are ${accounts.length} accounts: name one, such as ${example}.`)
}

async function confirm({ input, complain }: Terminal, { subdomain, name }: AccountSummary): Promise<boolean> {
  if (!input.isTTY) throw new SettingError(`Deleting ${subdomain} cannot be undone. Add --yes to confirm.`)
  complain(`This permanently deletes the account “${name}” and everything in it. Type ${subdomain} to confirm:`)
  const lines = createInterface({ input })
  try {
    for await (const line of lines) {
      if (line.trim() === subdomain) return true
      break
    }
  } finally {
    lines.close()
  }
  complain(`That is not ${subdomain}, so nothing was deleted.`)
  return false
}

function subdomainText(given: string): string {
  const subdomain = checked('--subdomain', Account.fields.subdomain, given)
  if (isReserved(subdomain)) throw new UsageError(`--subdomain ${RESERVED_PROBLEM}, not "${subdomain}".`)
  return subdomain
}

function emailAddress(given: string, what = '--owner'): string {
  const { address, problem } = normalizeEmail(given)
  if (address !== null) return address
  throw new UsageError(`${what} ${problem}; write it like ada@example.com, not "${given}".`)
}

/** Checks a value by the rules of the API. Throws UsageError. */
function checked(what: string, { spec }: Field, given: string): string {
  const result = spec.schema.safeParse(given)
  if (result.success) return String(result.data)
  throw new UsageError(`${what} ${result.error.issues[0]!.message}, not "${given}".`)
}

/** Confirms or changes an email address for the operator when its owner cannot receive the confirmation email. */
async function address(terminal: Terminal, settings: Settings, args: string[]): Promise<number> {
  const [given, wanted, ...more] = readOptions(args, {}, ADDRESS_USAGE).words
  if (given === undefined) throw new UsageError('Name the address to confirm.', ADDRESS_USAGE)
  refuseWords(more, ADDRESS_USAGE)
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
