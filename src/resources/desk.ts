import type { Resource } from '../records/resource.ts'
import { connections } from './desk/connection/operations.ts'
import { invitations } from './desk/invitation/operations.ts'
import { members } from './desk/member/operations.ts'
import { planComparisons } from './desk/plan_comparison/operations.ts'
import { programAnswers } from './desk/program_answer/operations.ts'
import { programPlans } from './desk/program_plan/operations.ts'
import { programRuns } from './desk/program_run/operations.ts'

/** What the dashboard alone shows: things of an account that no operation of the contract is about. */
export const desk: Resource[] = [
  connections,
  members,
  invitations,
  programRuns,
  programPlans,
  planComparisons,
  programAnswers,
]
