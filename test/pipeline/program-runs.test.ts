import { expect, it } from 'vitest'
import { type RunRecord, recordRuns } from '../../src/pipeline/program-runs.ts'
import { onEachEngine } from '../support/shop.ts'

const run = (accountId: string, code: string): RunRecord => ({
  account_id: accountId,
  user_id: 'user_1',
  caller_id: 'token_1',
  kind: 'execute',
  code,
  calls: [],
  calls_count: 0,
  outcome: 'succeeded',
  error: null,
  error_line: null,
  error_hint: null,
  changes: {},
  caller_kind: 'token',
  task_run: null,
  plan: null,
  committed: 'none',
  dry_run: 0,
  runs: 1,
  created_at: '2026-01-15T10:30:00.000Z',
  duration_ms: 1,
})

onEachEngine((shop) => {
  const codes = async (account: string) => {
    const { read } = shop.running.app.database
    const rows = read.selectFrom('program_runs').select('code').where('account_id', '=', account).orderBy('id')
    return (await rows.execute()).map(({ code }) => code[0])
  }

  it('keeps the newest runs of each account within its quota and the run that crosses it', async () => {
    const record = (account: string, names: string) =>
      recordRuns(
        shop.running.app.database,
        [...names].map((name) => run(account, name.repeat(1_000))),
        5_000,
      )
    await record('acct_quiet', 'x')
    await record('acct_busy', 'abcdefgh')
    expect(await codes('acct_busy')).toEqual(['e', 'f', 'g', 'h'])
    await record('acct_busy', 'i')
    expect(await codes('acct_busy')).toEqual(['f', 'g', 'h', 'i'])
    expect(await codes('acct_quiet')).toEqual(['x'])
  })

  it('takes a run that is longer than the quota and nothing else', async () => {
    await recordRuns(shop.running.app.database, [run('acct_long', 'a'), run('acct_long', 'b'.repeat(9_000))], 5_000)
    expect(await codes('acct_long')).toEqual(['b'])
  })
})
