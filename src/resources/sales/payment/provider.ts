import { ApiError } from '../../../contract/declarations/errors.ts'
import { only } from '../../../errors.ts'
import { KeyRefusedError } from '../../../providers/payments/connector.ts'
import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import { AskAgainError, type JobContext } from '../../../records/job.ts'
import {
  type ConnectionRow,
  currentConnection,
  findConnection,
  hasServiceKeys,
  isConnection,
  noteServiceCharge,
  usesServiceKeys,
} from './connection/current.ts'
import { noteRefusal } from './connection/inspect.ts'
import { ConnectionGoneError, openConnection } from './connection/open.ts'

/** The way in which an account takes new card payments. */
export type Taking =
  | { by: 'connection'; connection: ConnectionRow }
  | { by: 'service' }
  /** The account accepts test cards, and no money moves. */
  | { by: 'test' }
  /** No card is accepted, because no provider is connected or the key of the connection is refused. */
  | { by: 'nobody'; why: 'unconnected' | 'refused' }

/** The part of `Context` that is also available without a transaction. */
export type ProviderContext = Pick<Context, 'db' | 'accountId' | 'services' | 'test'>

export async function takingOf(context: ProviderContext): Promise<Taking> {
  if (context.test) return { by: 'test' }
  const { payments } = context.services
  // A restored copy of the service has no connectors, so it uses no connections.
  const connection = payments.connectors.length > 0 ? await currentConnection(context) : undefined
  if (connection) return connection.refused_at === null ? { by: 'connection', connection } : NOT_TAKEN
  if (await usesServiceKeys(context)) return { by: 'service' }
  return payments.pretending ? { by: 'test' } : UNCONNECTED
}

const NOT_TAKEN: Taking = { by: 'nobody', why: 'refused' }
const UNCONNECTED: Taking = { by: 'nobody', why: 'unconnected' }

/** Service fees go to the operator, so the connections of the account are not used. */
function takingOfFee(context: Context): Taking {
  if (context.test) return { by: 'test' }
  if (hasServiceKeys(context)) return { by: 'service' }
  return context.services.payments.pretending ? { by: 'test' } : UNCONNECTED
}

/** With a `formation`, the payment is a service fee, otherwise a sale. */
type PaymentSubject = { formation?: string | null | undefined }

function takingFor(context: Context, { formation = null }: PaymentSubject): Promise<Taking> {
  return formation === null ? takingOf(context) : Promise.resolve(takingOfFee(context))
}

/** The message that buyers see while the shop cannot take cards. */
export const NO_CARDS = 'This shop cannot take card payments right now. Please come back later.'

/** Returns the provider for a payment that begins now. Throws a 400 while the account cannot take cards. */
export async function currentProvider(context: Context, paid: PaymentSubject = {}): Promise<PaymentProvider> {
  const { payments } = context.services
  const taking = await takingFor(context, paid)
  if (taking.by === 'connection') return openOrRefuse(context, taking.connection)
  if (taking.by === 'nobody') throw paid.formation == null ? noCards(WHAT_TO_DO[taking.why]) : noFees()
  if (taking.by === 'test') return payments.test
  if (paid.formation == null) await noteServiceCharge(context)
  return payments.providerFor({ test: false })
}

/** Throws a 400 if the settings of the service no longer allow the connection. */
function openOrRefuse(context: Context, connection: ConnectionRow): PaymentProvider {
  try {
    return openConnection(context, connection)
  } catch (error) {
    if (error instanceof KeyRefusedError) throw noCards(`To the shop: ${error.message}`)
    throw error
  }
}

function noCards(whatToDo: string): ApiError {
  return new ApiError('invalid_state', `${NO_CARDS} ${whatToDo}`)
}

/** The operator receives fees, so connecting a provider to the account would not help. */
function noFees(): ApiError {
  return new ApiError(
    'invalid_state',
    'This service cannot take card payments for its fees right now. Ask its operator to set up a payment provider.',
  )
}

const WHAT_TO_DO = {
  unconnected: 'To the shop: connect a payment provider under Settings, Payments.',
  refused: 'To the shop: the payment provider no longer takes your key. Enter a new one under Settings, Payments.',
}

/** Throws ConnectionGoneError if the connection was deleted. */
export async function providerNamed(context: Context, name: string): Promise<PaymentProvider> {
  if (!isConnection(name)) return context.services.payments.named(name)
  const connection = await findConnection(context, name)
  if (!connection) throw new ConnectionGoneError({ name: null, provider_account: name })
  return openConnection(context, connection)
}

/** Returns the provider of an imported subscription: the test provider if the account takes no cards. */
export async function currentProviderName(context: Context): Promise<string> {
  const taking = await takingOf(context)
  if (taking.by === 'connection') return taking.connection.id
  const { payments } = context.services
  return taking.by === 'service' ? payments.providerFor({ test: false }).name : payments.test.name
}

/** Returns the processor of a new card payment. */
export async function processorOf(context: Context, paid: PaymentSubject = {}): Promise<'test' | 'card'> {
  return (await takesTestCards(context, paid)) ? 'test' : 'card'
}

/** Whether buyers pay with test cards, which move no money. */
export async function takesTestCards(context: Context, paid: PaymentSubject = {}): Promise<boolean> {
  return (await takingFor(context, paid)).by === 'test'
}

export async function takesNoCards(context: Context, paid: PaymentSubject = {}): Promise<boolean> {
  return (await takingFor(context, paid)).by === 'nobody'
}

export function processorNamed({ services }: VaultContext, name: string): PaymentProvider['processor'] {
  return isConnection(name) ? 'card' : services.payments.named(name).processor
}

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
export function unlessGone<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch(only(ConnectionGoneError, () => null))
}

/** Returns the encrypted key, so that its refusal is not recorded for a newer key. */
async function keyBehind(context: Context, name: string): Promise<string | null> {
  return isConnection(name) ? ((await findConnection(context, name))?.sealed_key ?? null) : null
}
