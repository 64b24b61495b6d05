import type { ToolAnswer } from '../answer.ts'
import { readProgram } from '../program/text.ts'
import type { ShownCall } from './plan-frame.ts'

/** Returns a call of `code_execute` as the page shows it. `named` is the plan that the program names, if any. */
export function shownCall({ body, isError }: ToolAnswer, named: string | null): ShownCall {
  const { plan } = body
  return { planId: typeof plan === 'string' ? plan : named, answer: JSON.stringify(body), failed: isError }
}

/** Returns the plan that a program such as `# apply: plan_…` names; null for any other program. */
export function planNamedIn(code: unknown): string | null {
  const program = readProgram(code)
  return 'planId' in program ? program.planId : null
}
