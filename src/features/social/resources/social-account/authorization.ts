import { createHash, randomBytes } from 'node:crypto'
import { newId } from '../../../../contract/values/ids.ts'
import { laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import { type Choice, type Credentials, callbackPath } from '../../providers/provider.ts'
import type { SocialAuthorizationRow } from '../../tables.ts'

const PURPOSE = 'social authorizations'
/** The time limit for a person to allow access at the network, and then to choose an account. */
const AUTHORIZATION_MS = 20 * 60 * 1000
/** The maximum number of open authorizations per social account, which limits the table. Another one replaces the oldest. */
const MOST_OPEN = 10
const MOST_CHOICES = 100

/** The OAuth state, which the network returns unchanged. It identifies the authorization and cannot be guessed. */
export interface State {
  id: string
  secret: string
}

export function newState(): State {
  return { id: newId('sauth'), secret: randomBytes(32).toString('base64url') }
}

export function writtenState({ id, secret }: State): string {
  return `${id}.${secret}`
}

export function readState(written: string): State | null {
  const [, id, secret] = /^(sauth_[0-9a-z]{26})\.([\w-]{43})$/.exec(written) ?? []
  return id === undefined || secret === undefined ? null : { id, secret }
}

interface AuthorizationStart {
  account: string
  platform: string
  state: State
  /** The secret in the cookie of the person's browser. */
  browser: string
  kept: Credentials
}

/** Records that a person was redirected from this browser to the network. */
export async function noteLeaving(context: Context, { account, platform, state, browser, kept }: AuthorizationStart) {
  const { id, secret } = state
  await insert(context, {
    ...{ id, social_account: account, platform, step: 'away' },
    ...{ state_hash: hashOf(secret), browser_hash: hashOf(browser) },
    sealed: context.services.vault.seal(PURPOSE, JSON.stringify(kept)),
  })
}

interface AuthorizationReturn {
  state: State
  platform: string
  /** The server in the callback URL. Only networks with several servers have one. */
  server: string | undefined
  /** The secret in the browser's cookie; null when the browser sent none. */
  browser: string | null
}

/** Consumes the authorization of a person who returns. Returns null for an expired one or another browser, platform or server. */
export async function takeBack(
  context: Context,
  { state, platform, server, browser }: AuthorizationReturn,
): Promise<{ account: string; kept: Credentials } | null> {
  const found = await rowsOf(context, 'social_authorizations').selectAll().where('id', '=', state.id).executeTakeFirst()
  if (found?.step !== 'away' || found.platform !== platform || found.expires_at <= context.realNow) return null
  if (found.state_hash !== hashOf(state.secret) || browser === null || found.browser_hash !== hashOf(browser))
    return null
  const kept: Credentials = opened(context, found)
  const expected = kept.redirect_uri ?? context.publicUrl + callbackPath(platform)
  if (context.publicUrl + callbackPath(platform, server) !== expected) return null
  await deleteRowsOf(context, 'social_authorizations').where('id', '=', state.id).execute()
  return { account: found.social_account, kept }
}

/** Stores the accounts from which the person may choose one. Only the same browser can show and choose them. */
export async function noteChoices(
  context: Context,
  { account, platform, browser, choices }: Omit<AuthorizationStart, 'state' | 'kept'> & { choices: Choice[] },
): Promise<void> {
  const { id, secret } = newState()
  await forgetChoices(context, account)
  await insert(context, {
    ...{ id, social_account: account, platform, step: 'choosing' },
    ...{ state_hash: hashOf(secret), browser_hash: hashOf(browser) },
    sealed: context.services.vault.seal(PURPOSE, JSON.stringify(choices.slice(0, MOST_CHOICES))),
  })
}

/** Returns the accounts from which the person in this browser may choose; the list may be empty. */
export async function choicesOf(context: Context, account: string, browser: string | null): Promise<Choice[]> {
  if (browser === null) return []
  const found = await openOf(context, account, 'choosing')
    .where('browser_hash', '=', hashOf(browser))
    .where('expires_at', '>', context.realNow)
    .executeTakeFirst()
  return found ? opened(context, found) : []
}

export async function forgetChoices(context: Context, account: string): Promise<void> {
  await deleteRowsOf(context, 'social_authorizations')
    .where('social_account', '=', account)
    .where('step', '=', 'choosing')
    .execute()
}

function openOf(context: Context, account: string, step: SocialAuthorizationRow['step']) {
  return rowsOf(context, 'social_authorizations')
    .selectAll()
    .where('social_account', '=', account)
    .where('step', '=', step)
    .orderBy('id', 'desc')
}

type AuthorizationValues = Omit<SocialAuthorizationRow, 'account_id' | 'created_at' | 'expires_at'>

async function insert(context: Context, values: AuthorizationValues): Promise<void> {
  const { accountId: account_id, realNow: created_at } = context
  const older = await rowsOf(context, 'social_authorizations')
    .select('id')
    .where('social_account', '=', values.social_account)
    .orderBy('id', 'desc')
    .offset(MOST_OPEN - 1)
    .limit(MOST_OPEN)
    .execute()
  for (const { id } of older) await deleteRowsOf(context, 'social_authorizations').where('id', '=', id).execute()
  const row = { account_id, ...values, created_at, expires_at: laterBy(created_at, AUTHORIZATION_MS) }
  await context.db.insertInto('social_authorizations').values(row).execute()
}

function opened({ services }: Context, { sealed }: Pick<SocialAuthorizationRow, 'sealed'>) {
  return JSON.parse(services.vault.open(PURPOSE, sealed))
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

const APPS_PURPOSE = 'social apps'
/** The time after which a new app is registered at a server, because servers delete unused apps. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000
/** The maximum number of servers per shop. Another app replaces the one that was registered first. */
const MOST_SERVERS = 50
const MAX_SERVER = 300

/** Returns the app that this shop registered at a server, or null. */
export async function findApp(context: Context, server: string): Promise<Credentials | null> {
  const found = await rowsOf(context, 'social_apps')
    .select('sealed')
    .where('server', '=', server)
    .where('expires_at', '>', context.realNow)
    .executeTakeFirst()
  return found ? JSON.parse(context.services.vault.open(APPS_PURPOSE, found.sealed)) : null
}

/** Stores the app that was registered at a server and replaces an earlier one. */
export async function keepApp(context: Context, server: string, app: Credentials): Promise<void> {
  if (server.length > MAX_SERVER) return
  const older = await rowsOf(context, 'social_apps')
    .select('server')
    .orderBy('expires_at', 'desc')
    .offset(MOST_SERVERS - 1)
    .limit(MOST_SERVERS)
    .execute()
  for (const one of [...older.map((row) => row.server), server])
    await deleteRowsOf(context, 'social_apps').where('server', '=', one).execute()
  const sealed = context.services.vault.seal(APPS_PURPOSE, JSON.stringify(app))
  const { accountId: account_id, realNow } = context
  await context.db
    .insertInto('social_apps')
    .values({ account_id, server, sealed, expires_at: laterBy(realNow, KEPT_MS) })
    .execute()
}
