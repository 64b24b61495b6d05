import type { RoleRight } from '../contract/declarations/role-rights.ts'
import type { Context } from './context.ts'

/** Data that only pages of the dashboard read, and the right that the reader's role needs. It is not part of any API. */
export interface DashboardRead<Given extends unknown[], Value> {
  needs: RoleRight
  rule(context: Context, ...given: Given): Promise<Value>
}

export function dashboardRead<Given extends unknown[], Value>(
  needs: RoleRight,
  rule: (context: Context, ...given: Given) => Promise<Value>,
): DashboardRead<Given, Value> {
  return { needs, rule }
}

export type ValueOf<Read> = Read extends DashboardRead<never, infer Value> ? Value : never
