import { destinationOf } from '../../access/oauth/redirect-uri.ts'
import { refused, slowDown } from '../parts/refusals.ts'

const NOTHING = 'The program got no access.'

/** It is not certain that the address to go back to is the client's, so the browser stays here. */
export function brokenRequest(problem: string): Promise<Response> {
  return refused(400, {
    title: 'This program cannot be connected',
    words: `${problem} ${NOTHING} Remove the connection in the program, add it again, and start from there.`,
  })
}

/** Anybody can register an address, so a person is not sent to one unasked (RFC 9700, section 4.11.2). */
export function refusedRequest(problem: string, location: string): Promise<Response> {
  const { name } = destinationOf(location)
  return refused(400, {
    title: 'This program asked for something that is not possible',
    words: `${problem} ${NOTHING}`,
    way: { url: location, words: `Go back to ${name}` },
  })
}

export function foreignForm(): Promise<Response> {
  return refused(403, {
    title: 'This form was not sent from our page',
    words: `It may be too old, or come from another site. ${NOTHING} Start again from the program that you want to connect.`,
  })
}

export function noAccount(email: string): Promise<Response> {
  return refused(403, {
    title: 'There is no shop to connect',
    words: `${email} belongs to no shop. Ask whoever runs the shop to invite you.`,
  })
}

export function tooMany(seconds: number): Promise<Response> {
  return slowDown('This page was opened too often in a short time.', seconds)
}

export function failed(requestId: string): Promise<Response> {
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `${NOTHING} Start again from the program that you want to connect. If it happens again, tell whoever runs this service the number ${requestId}.`,
  })
}
