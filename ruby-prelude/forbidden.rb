# Names that Ruby usually defines but the sandbox does not. Each has a sentence about what to use instead.
module Sandbox
  class Forbidden < StandardError; end

  module Removed
    FILES = "Programs have no files, standard input or environment; data comes from get and list and goes out with post, patch and the result."
    PROCESSES = "Programs cannot start or signal processes; get, list, post, patch and delete are the only way out."
    LOADING = "Nothing can be loaded; Ruby's core, Set, JSON, Time and Date are already there."
    EVALUATION = "Code cannot be evaluated from text; write it in the program itself."
    THREADS = "Programs run on one thread; make the calls one after another."
    INTERPRETER = "The interpreter's internals are not available to programs."
    ENDING = "Programs end at their last line or with return, whose value is the result."
    WAITING = "There is nothing to wait for: every call has its answer when it returns."
    NETWORK = "There is no network and no JavaScript; get, list, post, patch and delete are the only way out."

    def self.table(groups)
      groups.each_with_object({}) { |(sentence, names), table| names.split.each { |name| table[name.to_sym] = sentence } }
    end

    CONSTANTS = table(
      FILES => "File Dir IO FileTest ARGF ARGV ENV STDIN STDOUT STDERR DATA Pathname FileUtils Tempfile StringIO CSV YAML",
      PROCESSES => "Process Signal Etc Open3 PTY",
      LOADING => "Gem Bundler BigDecimal SecureRandom OpenStruct ERB Digest OpenSSL Base64 Benchmark Logger",
      EVALUATION => "Binding TOPLEVEL_BINDING Ripper",
      THREADS => "Thread ThreadGroup Fiber Ractor Mutex Monitor Queue SizedQueue ConditionVariable Timeout",
      INTERPRETER => "ObjectSpace GC TracePoint RubyVM Marshal Warning Refinement",
      NETWORK => "JS Net URI Socket TCPSocket HTTP Faraday HTTParty RestClient Excon Typhoeus"
    ).freeze

    METHODS = table(
      FILES => "open gets readline readlines test select",
      PROCESSES => "system exec spawn fork trap syscall `",
      LOADING => "load require_relative autoload autoload?",
      EVALUATION => "eval binding instance_eval class_eval module_eval",
      INTERPRETER => "set_trace_func trace_var untrace_var subclasses attached_object",
      ENDING => "exit exit! abort at_exit",
      WAITING => "sleep",
      NETWORK => "to_js"
    ).freeze

    # Methods that Ruby defines for every object or class. Other names count only if Ruby would have found the removed method.
    ON_ANY_RECEIVER = %i[binding instance_eval class_eval module_eval subclasses attached_object to_js].freeze

    # Returns the sentence for a NameError if the removal of a name caused it, or nil.
    def self.sentence(error)
      return CONSTANTS[error.name] || METHODS[error.name] unless NoMethodError === error
      METHODS[error.name] if ON_ANY_RECEIVER.include?(error.name) || error.private_call? || Module === error.receiver
    rescue ArgumentError
      nil
    end
  end
end
