package org.postscrypt.jce.wycheproof;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postscrypt.jce.wycheproof.Decisions.Decision;
import org.postscrypt.jce.wycheproof.Vectors.Case;

/** The list of decisions has neither gaps nor lines for nothing. */
class DecisionsTest {
  @Test
  void everyLineDecidesSomethingAndAllIsDecided() throws Exception {
    List<Decision> unused = new ArrayList<>(Decisions.all());
    List<Case> cases = Vectors.all().toList();
    assertTrue(cases.size() > 20_000, "there are " + cases.size() + " cases");
    for (Case test : cases) {
      Decisions.expected(test);
      Decisions.all().stream().filter(decision -> decision.covers(test)).findFirst().ifPresent(unused::remove);
    }
    assertTrue(unused.isEmpty(), "these lines decide nothing: " + unused);
  }
}
