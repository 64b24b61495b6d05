import { destinationOf } from '../../access/oauth/redirect-uri.ts'
import { refused, slowDown } from '../parts/refusals.ts'

const NOTHING = 'The program was not given access.'

/** It is not certain that the address to go back to is the client's, so the browser stays here. */
export function brokenRequest(problem: string): Promise<Response> {
  return refused(400, {
    title: 'This program cannot be connected',
    words: `${problem} ${NOTHING} Remove the connection in the program, add it again, and try again from there.`,
  })
}

/** Anybody can register an address, so a person is not sent to one unasked (RFC 9700, section 4.11.2). */
export function refusedRequest(problem: string, location: string): Promise<Response> {
  const { name } = destinationOf(location)
  return refused(400, {
    title: 'This program sent an invalid request',
    words: `${problem} ${NOTHING}`,
    way: { url: location, words: `Go back to ${name}` },
  })
}

export function foreignForm(): Promise<Response> {
  return refused(403, {
    title: 'This form was not sent from our page',
    words: `It may have expired, or it came from another site. ${NOTHING} Start again from the program that you want to connect.`,
  })
}

export function noAccount(email: string): Promise<Response> {
  return refused(403, {
    title: 'There is no shop to connect',
    words: `${email} is not a member of any shop. Ask the shop’s owner to invite you.`,
  })
}

export function tooMany(seconds: number): Promise<Response> {
  return slowDown('This page was opened too many times in a short time.', seconds)
}

export function failed(requestId: string): Promise<Response> {
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `${NOTHING} Start again from the program that you want to connect. If this happens again, give the operator of this service this number: ${requestId}.`,
  })
}
