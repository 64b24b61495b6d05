import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import type { Database, Scope } from '../../src/database/database.ts'
import { pruneOld } from '../../src/jobs/prune.ts'
import { allMigrations } from '../../src/migrations.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { engines } from '../database/engines.ts'

const RULES = PRODUCT.features.flatMap(({ retention = [] }) => retention)
const NOW = Date.parse('2026-06-01T00:00:00Z')
const OLD = '2026-01-01T00:00:00Z'
const RECENT = '2026-05-31T23:00:00Z'
const MANY = 450

describe.each(engines)('What is kept for a time only, on $name', (engine) => {
  describe.skipIf(!engine.available)('is removed', () => {
    let database: Database<Tables>
    beforeAll(async () => {
      database = await engine.open<Tables>(await allMigrations())
    })
    afterAll(() => database.close())

    const events = (count: number, at: string) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ account_id: `acct_${index % 3}`, id: `evt_${at}_${index}`, type: 'tag.created', resource_id: 'tag_1' },
        ...{ data: '{}', previous_attributes: null, created_at: at },
      }))
    const key = (name: string, at: string) => ({
      ...{ account_id: 'acct_1', user_id: 'user_1', idempotency_key: name, fingerprint: 'f' },
      ...{ claimed_at: at, status: 201, body: '{}' },
    })
    const bucket = (client_key: string, at: string) => ({ client_key, permits: 1, refilled_at: Date.parse(at) })
    const job = (id: string, state: 'done' | 'waiting', finished_at: string | null) => ({
      ...{
        account_id: 'acct_1',
        id,
        name: 'work',
        lane: 'outside' as const,
        payload: '{}',
        state,
        attempts: 1,
        run_at: OLD,
        leased_until: null,
      },
      ...{ last_error: null, created_at: OLD, finished_at },
    })

    it('but no plan while what it has begun in the background goes on, nor those whose place it took', async () => {
      const plan = (id: string, more: object = {}): Tables['program_plans'] => ({
        ...{ account_id: 'acct_1', id, user_id: 'user_1', caller_kind: 'token', caller_id: 'token_1', limits: '[]' },
        ...{ planner_token: null, applier_id: null, task_run: null, proposed: 1, code: '', changes: '[]', shown: '{}' },
        ...{
          consequences: null,
          needs: null,
          answer_rights: null,
          state: 'applied',
          created_at: OLD,
          decided_at: OLD,
          decided_by: null,
          note: null,
        },
        ...{ announced_at: null, awaited: 1, answer: null, replaces: null, replaced_by: null, expires_at: OLD },
        ...more,
      })
      const begunBy = (id: string, finished_at: string | null): Tables['background_programs'] => ({
        ...{
          account_id: 'acct_1',
          id: `bg_${id}`,
          plan: id,
          state: finished_at === null ? 'running' : 'done',
          code: '',
        },
        ...{ caller_kind: 'token', caller_id: 'token_1', user_id: 'user_1', token_id: null, limits: '[]' },
        ...{
          approvers: '[]',
          rights: null,
          task_run: null,
          origin: null,
          list: '{}',
          batch_size: 1,
          rows_count: 3,
          place: 1,
        },
        ...{ left_out_count: 0, batches_count: 1, calls_paid: 0, changes: '{}', last_value: null },
        ...{ value_sum: null, value_sums: null },
        ...{ operations: null, asked_operations: null, job: null, next_at: null, started_at: OLD, finished_at },
        ...{ error_type: null, error: null, error_line: null, error_hint: null, first_end: null, expires_at: null },
        ...{ created_at: OLD, updated_at: OLD },
      })
      await database.transaction(async ({ db }) => {
        const plans = [
          plan('plan_over'),
          plan('plan_ended'),
          plan('plan_just_ended'),
          plan('plan_at_work'),
          plan('plan_before', { state: 'replaced', replaced_by: 'plan_at_work' }),
        ]
        await db.insertInto('program_plans').values(plans).execute()
        const programs = [begunBy('plan_ended', OLD), begunBy('plan_just_ended', RECENT), begunBy('plan_at_work', null)]
        await db.insertInto('background_programs').values(programs).execute()
      })
      await pruneOld(database, { webhookDays: 30, rules: RULES, now: NOW })
      const left = await database.read.selectFrom('program_plans').select('id').orderBy('id').execute()
      expect(left.map(({ id }) => id)).toEqual(['plan_at_work', 'plan_before', 'plan_just_ended'])
    })

    it('when it is old enough, in steps between which others write', async () => {
      await database.transaction(async ({ db }) => {
        await db.insertInto('events').values(events(MANY, OLD)).execute()
        await db.insertInto('events').values(events(5, RECENT)).execute()
        await db
          .insertInto('idempotency_keys')
          .values([key('old', OLD), key('recent', RECENT)])
          .execute()
        await db
          .insertInto('jobs')
          .values([job('old', 'done', OLD), job('recent', 'done', RECENT)])
          .execute()
        await db
          .insertInto('jobs')
          .values(job('open', 'waiting', null))
          .execute()
        await db
          .insertInto('tombstones')
          .values({ account_id: 'a', id: 'old', sort_keys: '{}', deleted_at: OLD })
          .execute()
        await db
          .insertInto('client_buckets')
          .values([bucket('old', OLD), bucket('recent', RECENT)])
          .execute()
      })
      let steps = 0
      const counted: Scope<Tables> = {
        read: database.read,
        transaction: (work, options) => {
          steps += 1
          expect(options).toEqual({ lowPriority: true })
          return database.transaction(work, options)
        },
      }
      await pruneOld(counted, { webhookDays: 30, rules: RULES, now: NOW })
      const left = async (table: 'events' | 'idempotency_keys' | 'jobs' | 'tombstones') =>
        (await database.read.selectFrom(table).select('account_id').execute()).length
      expect([await left('events'), await left('idempotency_keys'), await left('jobs')]).toEqual([5, 1, 2])
      expect(await left('tombstones')).toBe(0)
      const buckets = await database.read.selectFrom('client_buckets').select('client_key').execute()
      expect(buckets).toEqual([{ client_key: 'recent' }])
      expect(steps).toBeGreaterThan(7 + 3)
    })
  })
})
