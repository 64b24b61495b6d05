# Implements `each_batch(list("/customers"), of: 500) { |rows| … }` of background programs. The host runs the program once for each batch,
# always in a new interpreter, so no statement besides `each_batch` may have an effect.
module Sandbox
  module Batch
    USUAL = 100
    MOST = 1000
    PARSE = RubyVM::AbstractSyntaxTree.method(:parse)
    # All options are listed, because the parser's defaults use a constant that is removed from the sandbox.
    OPTIONS = { keep_script_lines: false, error_tolerant: false, keep_tokens: false }.freeze
    FORM = "A background program is one each_batch(list(\"/path\"), of: 500) { |rows| … }. " \
      "Only methods and literal values of variables can be defined before it, and nothing can follow it."
    NO_LIST = "each_batch goes over the rows of a list, as in each_batch(list(\"/customers\"), of: 500) { |rows| … }"
    LITERALS = %i[STR LIT INTEGER FLOAT SYM NIL TRUE FALSE ZLIST].freeze
    HOLDERS = %i[LIST HASH DOT2 DOT3].freeze

    def self.run(rows, of, &block)
      raise Forbidden, Requests::IN_SEARCH unless Run.current.may_request?
      raise ArgumentError, NO_LIST unless List === rows
      raise ArgumentError, "each_batch needs a block" unless block
      raise ArgumentError, "of: is the most rows of a batch, from 1 to #{MOST}" unless Integer === of && of.between?(1, MOST)
      raise ArgumentError, FORM unless alone?(Run.current.code)
      some = rows.batch(of)
      some.empty? ? nil : yield(some)
    end

    def self.alone?(code)
      body = PARSE.call(code, **OPTIONS).children.last
      *before, last = body.type == :BLOCK ? body.children : [body]
      each_batch?(last) && before.all? { |node| harmless?(node) }
    end

    def self.each_batch?(node)
      call = node.children.first if node.type == :ITER
      call && call.type == :FCALL && call.children.first == :each_batch
    end

    def self.harmless?(node)
      return true if node.nil? || node.type == :DEFN || node.type == :BEGIN && node.children.compact.empty?
      %i[LASGN CDECL].include?(node.type) && literal?(node.children.last)
    end

    def self.literal?(node)
      return true if node.nil? || LITERALS.include?(node.type)
      HOLDERS.include?(node.type) && node.children.all? { |child| literal?(child) }
    end
  end
end
