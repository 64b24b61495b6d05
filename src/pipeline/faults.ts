import { ApiError, invalid, missingParameter } from '../contract/declarations/errors.ts'
import { inputName } from '../contract/declarations/noun.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import { type Faults, type ParsedInput, readBody } from '../contract/requests/input.ts'
import type { Context } from '../records/context.ts'

type CheckedOperation = Pick<Operation<Context>, 'checks' | 'body'>

/** Parses the body. The operation's own checks run even if other fields are invalid, so that one response lists every error. */
export async function readInput(operation: Operation<Context>, body: unknown, context: Context): Promise<ParsedInput> {
  const { body: fields, bodyMode: mode, noun } = operation
  if (!fields) return { values: {}, ignored: [] }
  const { values, ignored, faults, refuse } = readBody(body, { fields, mode, wrapper: noun.name })
  if (Object.keys(faults.errors).length + faults.missing.length > 0)
    refuse(await withChecks(operation, context, values, faults))
  return { values, ignored }
}

/** Adds the errors that the operation's checks find to an error that the operation's code has thrown. */
export async function withOtherFaults(
  { operation, context }: { operation: CheckedOperation; context: Context },
  values: Record<string, unknown>,
  error: unknown,
): Promise<unknown> {
  const found = faultsOf(error)
  if (!found || operation.checks.length === 0) return error
  const { errors, missing } = await withChecks(operation, context, values, found)
  const [first, ...more] = missing
  if (Object.keys(errors).length > 0)
    return invalid({ ...errors, ...Object.fromEntries(missing.map((name) => [name, ["can't be blank"]])) })
  return first === undefined ? error : missingParameter(first, more)
}

async function withChecks(
  { checks, body }: CheckedOperation,
  context: Context,
  values: Record<string, unknown>,
  { errors, missing, mistyped }: Faults,
): Promise<Faults> {
  const all: Faults = { errors: { ...errors }, missing: [...missing], mistyped }
  const wrong = new Set(Object.keys(errors).map((field) => field.split('.')[0]!))
  for (const { fields, check } of checks) {
    if (fields.some((field) => wrong.has(field))) continue
    const found = await faultsIn(() => check(context, values))
    all.errors = { ...found.errors, ...all.errors }
    all.missing.push(...found.missing)
  }
  const names = Object.entries(body ?? {}).map(([name, field]) => inputName(name, field))
  return { ...all, missing: names.filter((name) => all.missing.includes(name) && !wrong.has(name)) }
}

async function faultsIn(check: () => unknown): Promise<Faults> {
  try {
    await check()
    return NO_FAULTS
  } catch (error) {
    const found = faultsOf(error)
    if (found) return found
    // Other errors, such as an unknown id, are reported only when all fields are valid.
    if (error instanceof ApiError) return NO_FAULTS
    throw error
  }
}

const NO_FAULTS: Faults = { errors: {}, missing: [], mistyped: new Set() }

function faultsOf(error: unknown): Faults | null {
  if (!(error instanceof ApiError)) return null
  const { errors, param } = error.details
  if (error.code === 'validation_failed' && errors) return { ...NO_FAULTS, errors }
  if (error.code !== 'parameter_missing' || param === undefined) return null
  return { ...NO_FAULTS, missing: errors ? Object.keys(errors) : [param] }
}
