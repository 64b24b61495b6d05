# Finds calls with a literal path that no operation has, before the program runs. A path is reported only if it is certain: an interpolation
# can have any value, and calls of a `get` that the program itself defines are not checked.
module Sandbox
  class UnknownPath < StandardError
    attr_reader :line, :hint

    def initialize(message, line, hint)
      super(message)
      @line = line
      @hint = hint
    end
  end

  module Paths
    TEMPLATES = TOOLS.map { |tool| tool[:path].delete_prefix("/v1").split("/").reject(&:empty?) }.uniq.freeze
    VERBS = %i[get list post patch delete].freeze
    UNKNOWN = "\0"
    MOST_SHOWN = 8
    # The paths in the form that most programs use, with UNKNOWN in place of interpolations.
    USUAL = TEMPLATES.to_h { |template| ["/" + template.map { |part| part.start_with?("{") ? UNKNOWN : part }.join("/"), true] }.freeze
    # Matches a request and its path. `list` is also a common name of variables, so it counts only before a string or a parenthesis.
    VERB = /\b(?:get|post|patch|delete|list(?=\s*["'(%]))\b(?:[ (]*(?:"((?:[^"\\#]|#\{[^{}]*\}|#(?!\{))*)"|'([^'\\]*)'))?/
    INTERPOLATION = /\#\{[^{}]*\}/
    PARSE = RubyVM::AbstractSyntaxTree.method(:parse)
    NODE = RubyVM::AbstractSyntaxTree::Node

    def self.check(code)
      return if TEMPLATES.empty? || usual?(code)
      calls, own = request_calls(PARSE.call(code, keep_script_lines: false))
      calls.each do |verb, path, line|
        next if own.include?(verb) || known?(path)
        raise UnknownPath.new("No operation has the path \"#{path.gsub(UNKNOWN, "{…}")}\".", line, hint(path))
      end
    end

    # Most programs request only paths that obviously exist, and need not be parsed.
    def self.usual?(code)
      code.scan(VERB) do |quoted, plain|
        path = quoted ? quoted.gsub(INTERPOLATION, UNKNOWN) : plain
        return false unless path && USUAL.key?(path)
      end
      true
    end

    # Returns each call such as `get "…"` without a receiver, and the names of request methods that the program itself defines.
    def self.request_calls(root)
      calls, own, waiting = [], [], [root]
      while (node = waiting.shift)
        own << node.children.first if node.type == :DEFN
        if node.type == :FCALL && VERBS.include?(node.children.first)
          path = literal(node.children[1]&.children&.first)
          calls << [node.children.first, path, node.first_lineno] if path
        end
        waiting.concat(node.children.grep(NODE))
      end
      [calls.sort_by(&:last), own]
    end

    def self.literal(node)
      return unless NODE === node
      return node.children.first if node.type == :STR
      return unless node.type == :DSTR
      first, second, rest = node.children
      pieces = [second, *(rest ? rest.children : [])].grep(NODE)
      first.to_s + pieces.map { |piece| piece.type == :STR ? piece.children.first : UNKNOWN }.join
    end

    def self.segments(path)
      plain = path.sub(%r{\A[a-z][a-z0-9+.-]*://[^/]*}i, "").sub(/[?#].*/m, "")
      parts = plain.split("/").reject(&:empty?)
      parts.first == "v1" ? parts.drop(1) : parts
    end

    def self.known?(path)
      return true if path.start_with?(UNKNOWN)
      parts = segments(path)
      open = parts.index.with_index { |part, index| part.include?(UNKNOWN) && (part != UNKNOWN || index == parts.size - 1) }
      fixed = open ? parts.take(open) : parts
      TEMPLATES.any? { |template| (open ? template.size >= fixed.size : template.size == fixed.size) && same?(fixed, template) }
    end

    def self.same?(parts, template)
      parts.each_with_index.all? { |part, index| part == UNKNOWN || template[index].start_with?("{") || part == template[index] }
    end

    def self.hint(path)
      parts = segments(path)
      nearest = TEMPLATES.select { |template| likely?(template, parts) }.min_by { |template| distance(template, parts) }
      return "The nearest path is \"/#{nearest.join("/")}\"." if nearest
      TEMPLATES.none? { |template| template.first == parts.first } ? 'In code_search, describe("plain words") finds what there is.' : "There is #{operations(parts.first)}."
    end

    # Returns the operations whose path begins with this part, for example `POST /emails`.
    def self.operations(first)
      there = TOOLS.select { |tool| tool[:path].delete_prefix("/v1").split("/")[1] == first }
      there.first(MOST_SHOWN).map { |tool| "#{tool[:method]} #{tool[:path].delete_prefix("/v1")}" }.join(", ")
    end

    # Returns whether a path is probably meant as this template: in each fixed part at most one letter, or a quarter of them, may differ.
    def self.likely?(template, parts)
      return false unless template.size == parts.size && parts.all? { |part| part.size <= Spelling::MAX_LENGTH }
      template.zip(parts).all? { |name, part| name.start_with?("{") || Spelling.distance(part, name) <= [part.size / 4, 1].max }
    end

    def self.distance(template, parts)
      template.zip(parts).sum { |name, part| name.start_with?("{") ? 0 : Spelling.distance(part, name) }
    end
  end
end
