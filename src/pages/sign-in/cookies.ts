/** An answer that also sets cookies. */
export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie)
  return answer
}
