import type { Resource } from '../records/resource.ts'
import { accessGrants } from './desk/access_grant/operations.ts'
import { connections } from './desk/connection/operations.ts'
import { invitations } from './desk/invitation/operations.ts'
import { members } from './desk/member/operations.ts'
import { overviews } from './desk/overview/operations.ts'
import { planComparisons } from './desk/plan_comparison/operations.ts'
import { productSales } from './desk/product_sales/operations.ts'
import { programAnswers } from './desk/program_answer/operations.ts'
import { programPlans } from './desk/program_plan/operations.ts'
import { programRuns } from './desk/program_run/operations.ts'

/** What the dashboard alone shows: things of an account that no operation of the contract is about. */
export const desk: Resource[] = [
  overviews,
  productSales,
  accessGrants,
  connections,
  members,
  invitations,
  programRuns,
  programPlans,
  planComparisons,
  programAnswers,
]
