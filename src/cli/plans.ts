import { consequencesInWords } from '../contract/declarations/consequence.ts'
import type { PlannedChange } from '../contract/declarations/planned-change.ts'
import { timestampOf } from '../contract/values/values.ts'
import { counted } from '../format/counts.ts'
import { showHidden } from '../format/hidden-characters.ts'
import {
  allowApplier,
  closePlan,
  type ListedPlan,
  listPlans,
  type ProgramPlanRow,
  planById,
} from '../pipeline/program-plans.ts'
import { rowsOfPlans } from '../records/background/keep.ts'
import { findMember, type Member } from '../resources/company/account/life/members.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { readSettings, SettingError, type Settings } from '../settings/config.ts'
import { CommandError, UsageError } from './exit-codes.ts'
import { actionOf, readOptions, refuseWords } from './options.ts'
import { runTool } from './run-tool.ts'
import { printRows, type Terminal } from './terminal.ts'
import { type Changes, showAnswer } from './tool-answer.ts'
import { withDatabase } from './with-database.ts'

export const USAGE = `Reviews plans: programs and what they would change. Settings, Account says how long a plan is valid.

  npm run plans -- list         lists plans, newest first
  npm run plans -- show ID      shows a plan's program and its changes
  npm run plans -- apply ID     makes exactly the planned changes, or none if the shop has changed since
  npm run plans -- reject ID    rejects a plan`

interface PlanRequest {
  terminal: Terminal
  settings: Settings
  id: string
}

export async function run(terminal: Terminal): Promise<number> {
  const { run, verb, args } = actionOf(terminal.args, { list, show, apply, reject }, USAGE)
  const [id, ...more] = readOptions(args, {}, USAGE).words
  if (run === list) refuseWords(id === undefined ? [] : [id, ...more], USAGE)
  else if (id === undefined) throw new UsageError(`Give the id of the plan to ${verb}.`, USAGE)
  refuseWords(more, USAGE)
  return run({ terminal, settings: readSettings(terminal.environment), id: id ?? '' })
}

async function list({ terminal, settings }: PlanRequest): Promise<number> {
  const rows = await withDatabase(settings, listPlans)
  const cells = rows.map((plan) => [plan.id, stateOf(plan), plan.created_at, summary(plan)])
  printRows(terminal, cells, 'There are no plans.')
  return 0
}

async function show({ terminal, settings, id }: PlanRequest): Promise<number> {
  const [plan, rows] = await withDatabase(settings, async (database) => {
    const found = await requirePlan(database, id)
    return [found, await rowsOfPlans({ db: database.read, accountId: found.account_id }, [id])] as const
  })
  terminal.print(`${plan.id}, ${stateOf(plan)}, planned at ${plan.created_at}. It would change:`)
  const inBackground = rows.get(id)
  const goesOn =
    inBackground === undefined
      ? []
      : [
          '',
          `This is the next batch of a program over ${counted(inBackground, 'row')}: once applied, it goes on with the others in the background.`,
        ]
  const lines = ['', ...allChangeLines(plan), ...sideEffectLines(plan), ...goesOn, '', 'The program:', '']
  terminal.print(showHidden([...lines, plan.code.trimEnd()].join('\n')))
  return 0
}

async function apply({ terminal, settings, id }: PlanRequest): Promise<number> {
  const answer = await runTool(terminal, settings, {
    tool: 'code_execute',
    code: `# apply: ${id}`,
    tokenName: `npm run plans -- apply ${id}`,
    as: (database) => planner(database, id),
    prepare: async (database, tokenId) => allowApplier(database, await requirePlan(database, id), tokenId),
  })
  return showAnswer(terminal, answer)
}

async function reject({ terminal, settings, id }: PlanRequest): Promise<number> {
  return withDatabase(settings, async (database) => {
    const plan = await requirePlan(database, id)
    if (await database.transaction((unit) => closePlan(unit, plan, { state: 'rejected', output: null }))) {
      terminal.print(`Rejected ${id}.`)
      return 0
    }
    throw new CommandError('refused', `The plan was ${plan.state} at ${plan.decided_at}.`)
  })
}

/** Returns the member who created a plan, with whose rights it runs. Throws SettingError if the member has left the account. */
async function planner(database: ShopDatabase, id: string): Promise<Member> {
  const plan = await requirePlan(database, id)
  const member = await findMember(database, { accountId: plan.account_id, userId: plan.user_id })
  if (member) return member
  throw new SettingError(`The user who created ${id} is no longer in the account, so it cannot be applied.`)
}

async function requirePlan(database: ShopDatabase, id: string): Promise<ProgramPlanRow> {
  const plan = await planById(database, id)
  if (plan) return plan
  throw new SettingError(`There is no plan ${id}; npm run plans -- list shows their ids.`)
}

function allChangeLines({ changes }: ProgramPlanRow): string[] {
  return (JSON.parse(changes) as PlannedChange[]).map(({ key, label, from, to }) => {
    const values = from === null ? to : { from, to }
    return `  ${[key, label, values && JSON.stringify(values)].filter(Boolean).join('  ')}`
  })
}

function sideEffectLines({ consequences }: ProgramPlanRow): string[] {
  const words = consequencesInWords(JSON.parse(consequences ?? '[]'))
  return words === null ? [] : ['', `Once applied: ${words}`]
}

function stateOf({ state, expires_at }: ListedPlan): string {
  return state === 'open' && expires_at <= timestampOf(new Date()) ? 'expired' : state
}

function summary({ shown }: ListedPlan): string {
  return Object.entries(JSON.parse(shown) as Changes)
    .map(([type, { count }]) => `${count} ${type}`)
    .join(', ')
}
