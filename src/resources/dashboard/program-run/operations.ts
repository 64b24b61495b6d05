import { sql } from 'kysely'
import { isUser } from '../../../contract/declarations/caller.ts'
import { flag, text } from '../../../contract/declarations/kinds.ts'
import { mayDo } from '../../../contract/declarations/role-rights.ts'
import { equals, filter } from '../../../records/filters.ts'
import { seesProgram } from '../../../records/program-sight.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { callerNames } from '../callers.ts'
import { ProgramRun, SUCCEEDED } from './program-run.ts'

const { list, retrieve } = verbs(ProgramRun)

/** Only the newest runs are searched, because each program may have 100 KB. */
const SEARCHED_RUNS = 2_000

/** Searches the programs that the caller may read, ignoring case. */
const words = filter(
  text(`Only runs whose program contains these words, among the last ${SEARCHED_RUNS}`, { max: 200, example: 'post(' }),
  (query, value, context) => {
    const newest = rowsOf(context, 'program_runs').select('id').orderBy('id', 'desc').limit(SEARCHED_RUNS)
    const pattern = `%${String(value)
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')}%`
    const { caller } = context
    const seen = mayDo(caller, 'programs.read_any')
      ? query
      : query.where('user_id', '=', isUser(caller) ? caller.userId : '')
    return seen.where(
      sql<boolean>`id in (select id from ${newest.as('newest')}) and lower(code) like ${pattern} escape '\\'`,
    )
  },
)

const failed = filter(flag('Only runs that failed, or only those that did not', true), (query, value) =>
  query.where('outcome', value ? '!=' : '=', SUCCEEDED),
)

const SEEN = { withheld: false }
/** Replaces the private fields for callers who may not read the program. */
const WITHHELD = { withheld: true, code: '', calls: [], changes: {}, error: null, error_line: null, error_hint: null }

export const programRuns = resource(ProgramRun, {
  derive: async (rows, context) => {
    const names = await callerNames(context, rows)
    return rows.map((row, index) => ({ ...names[index], ...(seesProgram(context.caller, row) ? SEEN : WITHHELD) }))
  },
  dashboard: [
    list({
      summary: 'List runs of programs',
      path: '/runs',
      withoutRanges: ['error_line', 'runs'],
      filters: {
        failed,
        outcome: equals(ProgramRun, 'outcome'),
        kind: equals(ProgramRun, 'kind'),
        dry_run: equals(ProgramRun, 'dry_run'),
        caller_id: equals(ProgramRun, 'caller_id'),
        user_id: equals(ProgramRun, 'user_id'),
        task_run: equals(ProgramRun, 'task_run'),
        plan: equals(ProgramRun, 'plan'),
        background: equals(ProgramRun, 'background'),
        query: words,
      },
    }),
    retrieve({ summary: 'Show one run of a program', path: '/runs/{id}' }),
  ],
})
