# What a program is given from outside, as a comment of JSON in its last line: `ARGV`, and `data` where there is some. The
# host has checked the form (src/mcp/program/arguments.ts). A comment moves no line of the program, whatever it holds.
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
