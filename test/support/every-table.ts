import { newId } from '../../src/contract/values/ids.ts'
import { timestampOf } from '../../src/contract/values/values.ts'
import { storeMeasured } from '../../src/quota/account-storage.ts'
import { anyTable } from '../../src/records/records.ts'
import type { Shop } from './shop.ts'
import { stock } from './stock.ts'

/** Inserts at least one row into every table that belongs to accounts. */
export async function fillEveryTable(shop: Shop): Promise<void> {
  const { social_post } = await stock(shop)
  await shop.post(`/social_posts/${social_post}/publish`)
  await shop.patch('/x402_configuration', { x402_enabled: false })
  await fillKept(shop)
  await fillDashboard(shop)
  await shop.customer({ tags: ['VIP'] })
  await shop.api('POST', '/tags', { name: 'Kept' }, { headers: { 'Idempotency-Key': 'kept' } })
  await shop.delete(`/tags/${(await shop.tag()).id}`)
  await shop.post('/forms', { name: 'Told', notification_emails: ['dashboard@example.com'] })
  const { accountId, running } = shop
  const now = timestampOf(new Date())
  const owned = { account_id: accountId }
  const by = { user_id: 'user_x', caller_id: 'token_x' }
  const job = {
    name: 'job',
    lane: 'outside',
    payload: '{}',
    state: 'done',
    attempts: 1,
    run_at: now,
    created_at: now,
  } as const
  const run = { kind: 'execute', outcome: 'succeeded', committed: 'all', dry_run: 0, runs: 1, calls: '[]' } as const
  const undecided = {
    planner_token: null,
    limits: '[]',
    applier_id: null,
    proposed: 0,
    note: null,
    decided_at: null,
    decided_by: null,
    announced_at: null,
    awaited: 0,
  }
  const plan = { changes: '[]', shown: '{}', state: 'open', created_at: now, expires_at: now } as const
  await running.app.database.transaction(async ({ db }) => {
    const id = () => ({ ...owned, id: newId('x') })
    await db
      .insertInto('jobs')
      .values({ ...id(), ...job })
      .execute()
    const counted = { calls_count: 0, duration_ms: 1, written: 1, created_at: now }
    const caller = { caller_kind: 'token', task_run: null }
    const unfailed = { error: null, error_line: null, error_hint: null, plan: null, changes: '{}' }
    await db
      .insertInto('program_runs')
      .values({ ...id(), ...by, ...caller, code: '1', ...run, ...counted, ...unfailed })
      .execute()
    await db
      .insertInto('program_plans')
      .values({ ...id(), ...by, ...caller, code: '1', ...plan, ...undecided })
      .execute()
    const result = { once_key: 'once', fingerprint: 'x', answer: '{}', committed_at: now }
    await db
      .insertInto('program_results')
      .values({ ...owned, ...result })
      .execute()
    const bucket = { caller_id: 'token_x', bucket: 'filled', permits: 1, refilled_at: 1 }
    await db
      .insertInto('model_tokens')
      .values({ ...owned, day: '2026-01-01', tokens: 1, own_tokens: 0 })
      .execute()
    const uses = { credits: 1, emails: 0, refunds: 0 }
    await db
      .insertInto('token_uses')
      .values({ ...owned, token_id: 'token_x', day: '2026-01-01', ...uses })
      .execute()
    const model = { provider: 'anthropic', model_id: 'm', base_url: null, sealed_key: 'x', tokens_per_day: 1 } as const
    await db
      .insertInto('own_models')
      .values({ ...id(), ...model, updated_at: now })
      .execute()
    const card = { customer: 'cus_x', provider: 'test', status: 'begun', reference: null, url: null } as const
    await db
      .insertInto('card_changes')
      .values({ ...id(), ...card, failure_message: null, created_at: now, expires_at: now })
      .execute()
    const sealed = { sealed_key: 'x', key_hint: null, sealed_notices_secrets: null, notices_id: null, details: '{}' }
    const place = {
      provider: 'test',
      provider_account: 'x',
      name: null,
      live: 0,
      access: 'key',
      status: 'replaced',
    } as const
    const refused = { refused_at: null, refused_reason: null, created_at: now, updated_at: now }
    await db
      .insertInto('payment_connections')
      .values({ ...id(), ...sealed, ...place, ...refused })
      .execute()
    const buyer = { token_hash: 'x', customer: 'cus_x', email: 'x@example.com', expires_at: now } as const
    await db
      .insertInto('buyer_links')
      .values({ ...owned, ...buyer, purpose: 'sign_in' })
      .execute()
    await db
      .insertInto('buyer_sessions')
      .values({ ...owned, ...buyer, created_at: now })
      .execute()
    await db
      .insertInto('rate_buckets')
      .values({ ...owned, ...bucket })
      .execute()
  })
}

/** Fills tables that belong to rows of other tables. */
async function fillKept({ accountId: account_id, running }: Shop): Promise<void> {
  const event = { account_id, event_source: 'evsrc_x' }
  const now = timestampOf(new Date())
  await storeMeasured(running.app.database, account_id, [], now)
  await running.app.database.transaction(async ({ db }) => {
    await db
      .insertInto('event_source_deliveries')
      .values({ ...event, delivery_key: 'x', received_at: now })
      .execute()
    await db
      .insertInto('imported_rows')
      .values({ account_id, source: 'csv', kind: 'order', source_id: '1', id: 'ord_x' })
      .execute()
    await db
      .insertInto('event_source_memories')
      .values({ ...event, memory: 'x' })
      .execute()
    const connection = { account_id, id: 'conn_x', user_id: 'user_x', client_id: 'client_x', client_name: 'x' }
    const state = { returns_to: 'x', right: 'read', allowed_by: 'x@example.com', status: 'active' } as const
    await db
      .insertInto('connections')
      .values({ ...connection, ...state, created_at: now, updated_at: now })
      .execute()
    await db
      .insertInto('oauth_codes')
      .values({ account_id, code_hash: account_id, consent: '{}', expires_at: now })
      .execute()
    const token = { id: 'otok_x', connection_id: 'conn_x', token_hash: account_id } as const
    await db
      .insertInto('oauth_tokens')
      .values({ account_id, ...token, kind: 'access', created_at: now, expires_at: now })
      .execute()
    const invitation = { id: 'invite_x', email: 'x@example.com', role: 'member', invited_by: 'user_x' } as const
    await db
      .insertInto('invitations')
      .values({ account_id, ...invitation, expires_at: now, created_at: now, updated_at: now })
      .execute()
    const view = { id: 'view_x', list: 'orders', name: 'x', query: 'status=failed', shared: 1, user_id: 'user_x' }
    await db
      .insertInto('saved_views')
      .values({ account_id, ...view, created_at: now, updated_at: now })
      .execute()
    const letter = { account_id, letter: 'sales' } as const
    await db
      .insertInto('letter_choices')
      .values({ ...letter, user_id: 'user_x', wanted: 1 })
      .execute()
    await db
      .insertInto('letter_turns')
      .values({ ...letter, job: null, since: now, last_at: null })
      .execute()
    const began = {
      id: 'bg_x',
      state: 'done',
      code: '',
      caller_kind: 'token',
      caller_id: 'x',
      user_id: 'user_x',
    } as const
    const reached = { list: '{}', batch_size: 1, rows_count: 1, place: 1, left_out_count: 0, batches_count: 1 }
    const told = { limits: '[]', approvers: '[]', calls_paid: 0, changes: '{}', created_at: now, updated_at: now }
    await db
      .insertInto('background_programs')
      .values({ account_id, ...began, ...reached, ...told })
      .execute()
    await db.insertInto('background_rows').values({ account_id, program_id: 'bg_x', place: 1, ids: 'x' }).execute()
    await db.insertInto('formation_document_contents').values({ account_id, id: 'fdoc_x', base64: '' }).execute()
    await db
      .insertInto('social_comment_deletions')
      .values({ account_id, social_account: 'sacct_x', platform_comment_id: 'x' })
      .execute()
  })
}

/** Fills the tables of the developer pages and of the sandbox. */
async function fillDashboard(shop: Shop): Promise<void> {
  const now = timestampOf(new Date())
  const made = { created_at: now }
  const request = { transport: 'rest', method: 'GET', path: '/v1/me', status: 200, parameters: '[]', caller: 'token_x' }
  const away = { state_hash: '', browser_hash: '', step: 'away', sealed: '', expires_at: now }
  const progress = { parts_done: 0, parts_total: 0, rows_done: 0 }
  const shown = { platform: 'x', content: 'x', media_count: 0, first_comment: null, published_at: now }
  const counted = { files_count: 1, bytes: 1, problems: '[]' }
  const build = { site: 'aisite_x', task_run: 'atrun_x', builder: 'x', status: 'failed', ...counted }
  const known = { status: 'won', inquiry: 0, reason: 'general' }
  const dispute = { order: 'ord_x', payment: 'pay_x', reference: 'x', amount: 1, currency: 'usd', ...known }
  const rows = {
    social_authorizations: { id: 'sauth_x', social_account: 'sacct_x', platform: 'x', ...away, ...made },
    social_apps: { server: 'https://social.example', sealed: '', expires_at: now },
    sandbox_posts: { id: 'sdel_x', social_account: 'sacct_x', ...shown },
    api_requests: { id: 'req_x', ...request, ...made, duration_ms: 1, left_out: 0 },
    webhook_attempts: { id: 'whatt_x', webhook_event: 'whev_x', number: 1, duration_ms: 1, ...made },
    site_builds: { id: 'sitebuild_x', ...build, ...made, updated_at: now },
    site_files: { id: 'sitefile_x', build: 'sitebuild_x', path: 'index.html', content_type: 'x', size: 1, sha256: 'x' },
    disputes: { id: 'dispute_x', ...dispute, ...made, updated_at: now },
    account_exports: { id: 'export_x', status: 'expired', requested_by: 'x', ...progress, ...made, updated_at: now },
  }
  await shop.running.app.database.transaction(async (unit) => {
    for (const [table, row] of Object.entries(rows))
      await anyTable(unit)
        .insertInto(table)
        .values({ account_id: shop.accountId, ...row })
        .execute()
  })
}
