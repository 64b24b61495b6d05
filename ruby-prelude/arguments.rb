# Defines `ARGV`, and `data` if it was given, from the JSON comment in the last line of the program. The host has checked its form
# (src/mcp/program/arguments.ts). A comment does not shift the program's line numbers.
module Sandbox
  module Arguments
    MARK = "# arguments: {"
    LINE = /(?:\A|\n)# arguments: (\{[^\n]*)\s*\z/

    def self.define(code)
      text = code[LINE, 1] if code.include?(MARK)
      return unless text
      given = Answer.parse(text)
      Object.const_set(:ARGV, given.fetch("argv", []))
      return unless given.key?("data")
      value = given["data"]
      Runner.room.receiver.define_singleton_method(:data) { value }
    end
  end
end
