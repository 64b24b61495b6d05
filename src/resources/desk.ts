import type { Resource } from '../records/resource.ts'
import { connections } from './desk/connection/operations.ts'
import { invitations } from './desk/invitation/operations.ts'
import { members } from './desk/member/operations.ts'

/** What the dashboard alone shows: things of an account that no operation of the contract is about. */
export const desk: Resource[] = [connections, members, invitations]
