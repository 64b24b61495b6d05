import type { ToolAnswer } from '../answer.ts'
import { readProgram } from '../program/text.ts'
import type { ShownCall } from './plan-frame.ts'

export function shownCall({ body, isError }: ToolAnswer, named: string | null): ShownCall {
  const { plan } = body
  return { planId: typeof plan === 'string' ? plan : named, answer: JSON.stringify(body), failed: isError }
}

/** Returns the plan id of a command such as `# apply: plan_…`; null for any other program. */
export function planNamedIn(code: unknown): string | null {
  const program = readProgram(code)
  return 'planId' in program ? program.planId : null
}
