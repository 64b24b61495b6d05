import { KeyRefusedError } from '../../../providers/payments/connector.ts'
import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { AskAgainError, type JobContext } from '../../../records/job.ts'
import { findConnection, isConnection } from './connection/find.ts'
import { ConnectionGoneError } from './connection/open.ts'
import { noteRefusal } from './connection/refused.ts'
import { providerNamed } from './provider.ts'

/** The delay after which a job that must succeed tries a connection with a refused key again. */
const ASKED_AGAIN_MS = 6 * 60 * 60 * 1000

type ProviderRequest<Answer> = (provider: PaymentProvider) => Promise<Answer>

/**
 * Sends a request to the provider of a stored payment or card, and repeats it if a refused key was replaced meanwhile. Otherwise records
 * the refusal and throws KeyRefusedError. Throws ConnectionGoneError if the connection was deleted.
 */
export async function askProvider<Answer>(
  job: JobContext,
  name: string,
  request: ProviderRequest<Answer>,
): Promise<Answer> {
  const key = await job.read((context) => keyBehind(context, name))
  const open = () => job.read((context) => providerNamed(context, name))
  try {
    return await request(await open())
  } catch (error) {
    if (!isKeyRefused(error, name)) throw error
    const { message } = error
    const isReplaced = await job.transaction((context) => noteRefusal(context, { name, key, message }))
    if (!isReplaced) throw error
    return request(await open())
  }
}

/** Like `askProvider`, but a refused key makes the job wait and try again. */
export async function insistAtProvider<Answer>(
  job: JobContext,
  name: string,
  request: ProviderRequest<Answer>,
): Promise<Answer> {
  try {
    return await askProvider(job, name, request)
  } catch (error) {
    throw isKeyRefused(error, name) ? waitForKey(error.message) : error
  }
}

/** Like `askProvider`, but returns null if the key is refused or the connection was deleted. */
export async function unlessLost<Answer>(
  job: JobContext,
  name: string,
  request: ProviderRequest<Answer>,
): Promise<Answer | null> {
  try {
    return await askProvider(job, name, request)
  } catch (error) {
    if (isConnectionLost(error, name)) return null
    throw error
  }
}

export function waitForKey(message: string): AskAgainError {
  return new AskAgainError(message, Date.now() + ASKED_AGAIN_MS, { withoutLimit: true })
}

export function isConnectionLost(error: unknown, name: string): boolean {
  return error instanceof ConnectionGoneError || isKeyRefused(error, name)
}

/** Whether an account's own key was refused; a refused key of the service does not concern the account. */
function isKeyRefused(error: unknown, name: string): error is KeyRefusedError {
  return error instanceof KeyRefusedError && error.owner === 'account' && isConnection(name)
}

/** Returns null if the connection was deleted. */
export async function unlessGone<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ConnectionGoneError) return null
    throw error
  }
}

/** Returns the encrypted key, so that its refusal is not recorded for a newer key. */
async function keyBehind(context: Context, name: string): Promise<string | null> {
  return isConnection(name) ? ((await findConnection(context, name))?.sealed_key ?? null) : null
}
