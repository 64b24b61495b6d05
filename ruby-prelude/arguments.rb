# Defines `ARGV`, and `data` if there is any, from the JSON comment in the last line of the program. The host has checked the comment
# (src/mcp/program/arguments.ts). As the last line, it does not shift the line numbers of the program.
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
