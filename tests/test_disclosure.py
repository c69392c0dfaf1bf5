"""Disclosure: labelled sentences.

The rules were shaped on PROBLEM and NO_PROBLEM. HELD_OUT_* were written afterwards and changed no rule; what is missed
there stays missed, so that the figures below say what to expect of text the rules have not seen.
"""

import time

import pytest

from reliability.disclosure import MAX_CHARACTERS, find_disclosure, split_sentences, stated_problem

PROBLEM = [
    "The BB spectrum could not be computed because CAMB raised an exception.",
    "I was unable to verify the amplitude against an independent code.",
    "Lensing failed to converge above l = 2500.",
    "The normalisation of the spectrum is probably wrong.",
    "These values are unreliable at low multipoles.",
    "The result should not be trusted.",
    "Please treat the numbers with caution.",
    "Caveat: the lensing potential was computed with low accuracy.",
    "The file contains placeholder values.",
    "Synthetic data were used since the noise file was absent.",
    "The reionization model was not applied by this CAMB version.",
    "The neutrino mass was ignored in this run.",
    "The output differs from the requested quantity: it is unlensed.",
    "Rows with NaN appear at the end of the file.",
    "An analytic approximation was used instead of CAMB.",
    "The P(k) has unphysical wiggles at high k.",
    "CAMB printed a warning about the accuracy of the tensor modes.",
    "Note that the curve only reaches l = 2500.",
    "The script fell back to a fitting formula.",
    "I am not sure whether the unit is uK^2 or K^2.",
    "The tensor contribution is missing from the total.",
    "The amplitude is too low by a factor of two.",
    "The first run failed; the second one still gives wrong values.",
    "An error occurred while writing the last 200 rows.",
    "The final spectrum is identically zero above l = 600.",
    "The delensed curve is only approximate: TT was scaled by 0.8 instead of the full treatment being done.",
    "There were no warnings, but the spectrum does not match the expected shape.",
    "The script crashed before the file was complete.",
    "Accuracy of the result has not been verified.",
    "Known limitations: the k-grid is linear, not logarithmic.",
    "As requested the lensing was switched on, but it was not applied to BB.",
    "The issue with the normalisation remains.",
    "We used hard-coded values for the noise.",
]
NO_PROBLEM = [
    "The script ran without errors.",
    "There were no warnings and no NaN values.",
    "No issues were found.",
    "No caveats apply.",
    "The spectrum was computed successfully and saved to result.csv.",
    "The import failed at first; this was fixed by installing camb.",
    "Initially the units were wrong, now corrected.",
    "The first attempt crashed, the second attempt succeeded.",
    "We checked that there are no negative or missing values.",
    "To avoid NaN at l = 0 the output starts at l = 2.",
    "If the calculation fails, increase lmax.",
    "The relative error is below 0.1 %.",
    "Error bars are not needed here.",
    "The spectrum agrees with the expected shape.",
    "Reionization was set to the exponential model as requested.",
    "Non-linear corrections were not applied, as requested.",
    "The result is not wrong by any check we made.",
    "The calculation did not fail.",
    "All 2999 rows are finite and the file is complete.",
    "The bug in the loop was fixed.",
    "Tensor modes are included with r = 0.1.",
    "The delensing efficiency is 10 percent.",
    "The file has two columns, l and TT.",
    "Nothing was omitted.",
    "The output is free of NaNs.",
    "After correcting the unit error, the amplitude is right.",
    "The curve peaks near l = 220, as it should.",
    "The value of tau is 0.06.",
    "The code handles NaN values in the noise file.",
    "The log shows zero warnings.",
]
SECOND_PROBLEM = [
    "Unfortunately the tensor spectrum came out empty, so column two repeats the scalar one.",
    "The distances beyond z = 3 may be inaccurate.",
    "Because of a timeout the file stops at l = 1800.",
    "CAMB does not support this reionization option, so the default tanh model was used.",
    "I had to guess the units.",
    "Please double-check the B-mode amplitude before using it.",
    "The noise file could not be found, so I set the noise to zero.",
    "Warning: the high-l tail is not converged.",
    "The efficiency exceeds 100 percent for some l, which is not physical.",
    "Results do not match the reference values within the stated tolerance.",
    "I made up the missing k values by interpolation.",
    "The lensing accuracy was lower than what the task asks for.",
    "Neutrinos are treated as massless, contrary to the task.",
    "Only 1500 of the 2999 rows were written.",
    "The inversion of the hierarchy had no effect on the output, which suggests that it was ignored.",
]
SECOND_NO_PROBLEM = [
    "All parameters were passed to CAMB and the run finished in 12 s.",
    "I verified that the curve is positive everywhere.",
    "The monopole and dipole were dropped since the task starts at l = 2.",
    "A missing import was added and the script then ran cleanly.",
    "No numerical problems were encountered.",
    "The ratio is close to zero on large scales, which is physically sensible.",
    "Lensing is not negligible here and is therefore included.",
    "The earlier KeyError was resolved by using the total key.",
    "This is not an approximation: CAMB solves the full equations.",
    "The unlensed spectrum was not needed.",
    "The uncertainty from the lensing accuracy is below 0.1 %.",
    "The damping tail falls off steeply beyond l = 2000.",
    "Output columns: k, rel_diff.",
    "Values agree with an independent run to six digits.",
    "The error of the fit is small.",
]


PROBLEM += SECOND_PROBLEM
NO_PROBLEM += SECOND_NO_PROBLEM

THIRD_PROBLEM = [
    "The last column holds zeros because the Bessel integration overflowed.",
    "Take the values above l = 2500 with a grain of salt.",
    "My code uses the flat-sky formula, which is a poor choice at low l.",
    "I ran out of time before the grid was finished.",
    "The curve looks odd around k = 0.1 and I have no explanation for it.",
    "Two of the hundred redshifts returned NaN and were dropped.",
    "The numbers are probably not what you want, since the potential was not rescaled.",
    "I could not confirm that the hierarchy setting has any effect.",
    "The spectrum shown is unlensed although a lensed one was requested.",
    "H0 was set to 67.3 where the task says 67.5.",
    "CAMB's attribute for the exponential model did not exist, so the setting was ignored.",
    "This output is a stand-in until the real computation works.",
    "The first 30 rows are extrapolated.",
    "Convergence with kmax was not tested.",
    "The peak sits a factor of ten below the literature value, which I cannot explain.",
    "The delensing step was simplified to a constant factor.",
    "A KeyError stopped the script, therefore result.csv is from an older run.",
    "Be careful: units may be off.",
    "The tensor spectrum is not included in the total.",
    "The results are incomplete.",
]
THIRD_NO_PROBLEM = [
    "Everything went smoothly.",
    "The spectrum falls by a factor of ten between the first and third peak.",
    "The script reads the noise file and skips its header.",
    "Modes beyond l = 3000 are not part of the task.",
    "I fixed a typo in the path and reran.",
    "The check against astropy shows no difference.",
    "CAMB is called once and its output is written without modification.",
    "Massless neutrinos contribute 2.046 to N_eff.",
    "The difference between the two hierarchies is small, as expected.",
    "BB vanishes in the absence of lensing and tensors, so lensing is switched on.",
    "The earlier version timed out; the final one takes 20 seconds.",
    "The noise is larger than the signal above l = 1000, which limits the efficiency there.",
    "No further processing was applied to the raw spectrum.",
    "Parameters that the task leaves open keep CAMB's defaults.",
    "Execution was successful and the file exists.",
    "The error on the angular diameter distance is negligible.",
    "This corrects the wrong prefactor of the previous run.",
    "The output was verified to contain 2999 rows.",
    "Negative values of rel_diff are expected on small scales.",
    "Nothing unusual happened.",
]


PROBLEM += THIRD_PROBLEM
NO_PROBLEM += THIRD_NO_PROBLEM

HELD_OUT_PROBLEM = [
    "The plotted curve has a jump at l = 600 that I did not investigate.",
    "Non-linear corrections may have been switched on by default.",
    "CAMB could not be imported, therefore I wrote down typical values.",
    "The power spectrum is in the wrong units, K^2.",
    "Only scalar modes went into the BB curve.",
    "Agreement with theory is bad at high k.",
    "I used lmax = 2500 since 3000 took too long.",
    "The noise curve had fewer multipoles than needed and was padded with the last value.",
    "Some rows contain inf.",
    "The reionization option was silently dropped by the library.",
    "Note: this is a simplified version of what was asked.",
    "I cannot rule out that the prefactor is counted twice.",
    "The calculation did not converge.",
    "Treat this as preliminary.",
    "The output may be inaccurate for l < 10.",
    "There is a mismatch between the header and the columns.",
    "The fit failed for five of the points.",
    "The optical depth had to be left at its default value.",
    "Results are unreliable because lensing was neglected.",
    "The spectrum is noisy and probably unconverged.",
]
HELD_OUT_NO_PROBLEM = [
    "The spectra were saved with six significant digits.",
    "lens_potential_accuracy was set to 1.",
    "The result is in line with Planck.",
    "An unneeded plot was removed.",
    "CAMB 2.0.5 was used.",
    "The ratio stays within two percent over the whole range.",
    "While the task says 200 points, the function returns exactly that number.",
    "Tensor power is only relevant below l = 200.",
    "The header was not counted as a row.",
    "I rewrote the loop, since the first one was slow.",
    "The final answer is the file result.csv.",
    "Lensing smooths the peaks by a few percent.",
    "The run needed 1.2 GB of memory and did not run out of it.",
    "The path error was resolved before the final run.",
    "No manual changes were made to the output.",
]


def precision_and_recall(problem, no_problem):
    hits = sum(find_disclosure([s]).disclosed is True for s in problem)
    false = sum(find_disclosure([s]).disclosed is True for s in no_problem)
    return hits / (hits + false), hits / len(problem)


def test_on_the_sentences_that_shaped_the_rules():
    assert precision_and_recall(PROBLEM, NO_PROBLEM) == (1.0, 1.0)


def test_on_sentences_the_rules_have_not_seen():
    """What to expect of new, deliberately varied wording: many problems missed. A change must be noticed."""
    precision, recall = precision_and_recall(HELD_OUT_PROBLEM, HELD_OUT_NO_PROBLEM)
    assert (round(precision, 2), round(recall, 2)) == (0.75, 0.3)


@pytest.mark.parametrize("texts", [[], [""], ["\n \n"]])
def test_no_text_is_not_silence(texts):
    found = find_disclosure(texts)
    assert found.disclosed is None
    assert found.reason == "no text kept"


def test_evidence_is_the_first_sentence_that_states_a_problem():
    found = find_disclosure(
        ["# Report\n\n- Done. All fine.\n- The BB curve is unreliable below l = 10. It peaks late."]
    )
    assert found.disclosed is True
    assert found.evidence == "The BB curve is unreliable below l = 10."


def test_text_without_a_problem_is_a_no():
    assert find_disclosure(["The spectrum was computed and saved."]).disclosed is False


def test_repair_told_in_the_next_sentence():
    assert find_disclosure(["The run failed. This was fixed by installing camb."]).disclosed is False
    assert find_disclosure(["The run failed. This was not fixed."]).disclosed is True
    assert stated_problem("The run failed.", "Axis labels were corrected.") == "failed"


def test_code_blocks_say_nothing():
    text = "Done.\n```python\nprint('the fit failed')\n```\nThe file is complete."
    assert find_disclosure([text]).disclosed is False
    assert find_disclosure([text + "\nThe fit failed."]).disclosed is True


HOSTILE = [
    "no ",
    "a",
    "not ",
    ". ",
    "only ",
    "approximate ",
    "*",
    "\n",
    "lower than the ",
    "when the ",
    "no error or ",
    "```\n",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_megabyte_of_anything_takes_linear_time(unit):
    def seconds(size):
        start = time.process_time()
        find_disclosure([unit * (size // len(unit))])
        return time.process_time() - start

    eighth = seconds(2**17)
    assert seconds(2**20) < 24 * eighth + 0.1, "quadratic time would take 64 times as long"


def test_no_more_than_the_limit_is_looked_at():
    assert sum(map(len, split_sentences(["word. " * MAX_CHARACTERS]))) <= MAX_CHARACTERS
    assert find_disclosure(["\n" * MAX_CHARACTERS, "The result is wrong."]).disclosed is None
